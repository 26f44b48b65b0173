import { type GameModule, bit, defineModule, f64, i32, refusal, row, u32, v } from '@orrery/module'

/** Where missions begin and end, by their numbers in offers. */
const STATIONS = [
  { id: '1672af5b-fe40-4014-9088-7187b8727b43', body: 'Earth' },
  { id: 'b0c5e1d2-6c0e-4b3e-9d0a-5f6a2f1c7e84', body: 'Moon' },
  { id: '5d7f3a90-1e42-4c8b-8a6d-94c3b7e05f21', body: 'Mars' },
]
const EARTH = 0
const MOON = 1
const MARS = 2

/** Goods go from station to station; surveys and rescues go by a site. */
const DELIVERY = 0
const SURVEY = 1
const RESCUE = 2

const KINDS = ['delivery', 'survey', 'rescue']
const PLACES = STATIONS.map(({ body }) => body)

const DAY = 86_400

/** Whether a mission is late is seen so often [s]. */
const MINUTE = 60

/** How near one sees a site [m]; a rescue passes so near [m], at most so fast [m/s]. */
const SIGHT = 200_000
const REACH = 20_000
const SPEED = 20

/** An offer that was done is there again after this [s]. */
const REST = DAY

/** Sites by their ids: what drifts there, from the centre of a body [m]. */
const SITES = [
  { around: 'Earth', radius: 7.4e6 },
  { around: 'Earth', radius: 4.2164e7 },
  { around: 'Moon', radius: 2.3e6 },
  { around: 'Earth', radius: 6.95e6 },
  { around: 'Moon', radius: 2.0e6 },
]

const OFFERS = [
  { kind: DELIVERY, from: EARTH, to: MOON, site: 0, days: 12, pay: 9000 },
  { kind: DELIVERY, from: MOON, to: EARTH, site: 0, days: 12, pay: 7000 },
  { kind: DELIVERY, from: EARTH, to: MARS, site: 0, days: 900, pay: 250_000 },
  { kind: SURVEY, from: EARTH, to: EARTH, site: 1, days: 2, pay: 3000 },
  { kind: SURVEY, from: EARTH, to: EARTH, site: 2, days: 6, pay: 8000 },
  { kind: SURVEY, from: MOON, to: MOON, site: 3, days: 6, pay: 5000 },
  { kind: RESCUE, from: EARTH, to: EARTH, site: 4, days: 3, pay: 12_000 },
  { kind: RESCUE, from: MOON, to: MOON, site: 5, days: 6, pay: 18_000 },
]

export const missions: GameModule = defineModule({
  id: 'missions',
  version: 3,
  ship: {
    mission: row('offer'),
    /** goods, pictures of the site, or who was saved */
    aboard: bit(),
    due: f64('s since J2000'),
  },
  account: {
    credits: f64('cr'),
    done: u32('', { seenBy: 'system' }),
    failed: u32('', { seenBy: 'system' }),
  },
  // Of the first, ships had these, by the same names.
  from: { 1: {}, 2: {} },
  tables: {
    offer: {
      rows: 32,
      columns: {
        kind: i32('kind'),
        from: i32('station'),
        to: i32('station'),
        site: i32('site'),
        days: f64('d'),
        pay: f64('cr'),
        // Whoever takes an offer has it until then.
        until: f64('s since J2000'),
      },
    },
    site: { rows: 16, onRail: true, columns: {} },
  },
  begin({ add, hasBody, random }) {
    if (!hasBody('Earth') || !hasBody('Moon')) return
    for (const orbit of SITES) add('site', {}, { ...orbit, turn: random() })
    for (const offer of OFFERS) {
      if (!hasBody(STATIONS[offer.from].body) || !hasBody(STATIONS[offer.to].body)) continue
      add('offer', { ...offer, pay: Math.floor(offer.pay * (0.9 + 0.2 * random())) })
    }
  },
  events: {
    late: { text: 'The mission was not done in time.', body: v.object({ mission: v.id() }) },
    paid: { text: 'The mission is done: {pay} credits.', body: v.object({ pay: v.positive() }) },
  },
  commands: {
    take: {
      summary: 'Take an offer at the station that it begins at.',
      body: v.object({ offer: v.id() }),
      run({ row: rowOf, seconds, ship }, { offer: id }) {
        if (ship.mission !== null) throw refusal('busy', { mission: ship.mission })
        const offer = rowOf('offer', id)
        if (ship.station !== STATIONS[offer.from].id) throw refusal('not_at_its_station')
        if (offer.until >= seconds) throw refusal('taken', { seconds: offer.until - seconds })
        offer.until = seconds + offer.days * DAY
        ship.mission = id
        ship.due = offer.until
        ship.aboard = offer.kind === DELIVERY
      },
    },
    collect: {
      summary: 'Survey the site of the mission, or take aboard who waits there.',
      body: v.object({}),
      run({ near, row: rowOf, ship }) {
        if (ship.mission === null) throw refusal('no_mission')
        const { kind, site } = rowOf('offer', ship.mission)
        if (site === 0) throw refusal('no_site')
        const { distance, speed } = near('site', site)
        const isThere = kind === SURVEY ? distance <= SIGHT : distance <= REACH && speed <= SPEED
        if (!isThere) throw refusal('too_far', { distance, speed })
        ship.aboard = true
      },
    },
    handIn: {
      summary: 'End the mission at the station that it ends at, and be paid.',
      body: v.object({}),
      run({ account, emit, row: rowOf, seconds, ship }) {
        if (ship.mission === null) throw refusal('no_mission')
        const offer = rowOf('offer', ship.mission)
        if (ship.station !== STATIONS[offer.to].id) throw refusal('not_at_its_station')
        if (!ship.aboard) throw refusal('nothing_aboard')
        // Until the next beat it is still the ship's, and may be another's.
        if (seconds > ship.due) throw refusal('too_late')
        account.credits += offer.pay
        emit('paid', { pay: offer.pay })
        account.done += 1
        ship.mission = null
        ship.aboard = false
        offer.until = seconds + REST
      },
    },
    giveUp: {
      summary: 'Give the mission up.',
      body: v.object({}),
      run({ account, row: rowOf, seconds, ship }) {
        if (ship.mission === null) throw refusal('no_mission')
        if (seconds <= ship.due) rowOf('offer', ship.mission).until = seconds + REST
        ship.mission = null
        ship.aboard = false
        account.failed += 1
      },
    },
  },
  beat: {
    of: 'mission',
    every: MINUTE,
    run({ account, emit, seconds, ship }) {
      if (ship.mission === null || seconds <= ship.due) return
      emit('late', { mission: ship.mission })
      // Its offer is free again since then.
      ship.mission = null
      ship.aboard = false
      account.failed += 1
    },
  },
  panel: {
    title: 'Missions',
    fields: [
      { label: 'Mission', column: 'kind', of: 'mission', words: KINDS },
      { label: 'To', column: 'to', of: 'mission', words: PLACES },
      { label: 'Site', column: 'site', of: 'mission', words: ['none'] },
      { label: 'Until', column: 'until', of: 'mission' },
      { label: 'Aboard', column: 'aboard', words: ['nothing', 'what is asked for'] },
      { label: 'Credits', column: 'credits' },
    ],
    buttons: [
      { label: 'Collect', command: 'collect', when: 'mission' },
      { label: 'Hand in', command: 'handIn', when: 'mission' },
      { label: 'Give up', command: 'giveUp', when: 'mission' },
    ],
    lists: [
      {
        label: 'Offers',
        table: 'offer',
        row: 'Offer',
        columns: [
          { label: 'Kind', column: 'kind', words: KINDS },
          { label: 'From', column: 'from', words: PLACES },
          { label: 'To', column: 'to', words: PLACES },
          { label: 'Time', column: 'days' },
          { label: 'Pay', column: 'pay' },
          { label: 'Taken until', column: 'until' },
        ],
        buttons: [{ label: 'Take', command: 'take', row: 'offer' }],
      },
      { label: 'Sites', table: 'site', row: 'Site', columns: [], marker: true },
    ],
  },
})

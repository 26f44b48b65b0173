"""A client of the binary frames in plain Python: WIRE.md without seeds, and without rails.

  client.py URL NAME PASSWORD                     prints where ships are, once a second
  client.py URL NAME PASSWORD NAME2 PASSWORD2 N   compares N states with the JSON ticks of NAME2
"""
import base64, json, math, os, queue, socket, struct, sys, threading, time
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

QUANTA = 64  # to the second
TYPES = {'f64': ('d', 8), 'f32': ('f', 4), 'i32': ('i', 4), 'u32': ('I', 4), 'u8': ('B', 1)}
FROZEN, LOCKED, TARGET, SPIN, BODY, SHIP = 2, 0, 7, 10, 1, 3

def ask(url, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url + path, data, {'content-type': 'application/json'})) as answer:
        return json.load(answer)

def messages(url, name, password, protocol):
    """Logs in; texts as objects, binary messages as bytes, until the server closes (RFC 6455)."""
    token = ask(url, '/api/auth/login', {'username': name, 'password': password})['token']
    at = urlsplit(url)
    raw = socket.create_connection((at.hostname, at.port or 80))
    key = base64.b64encode(os.urandom(16)).decode()
    raw.sendall('\r\n'.join((
        'GET /ws HTTP/1.1', f'Host: {at.netloc}', 'Connection: Upgrade', 'Upgrade: websocket',
        'Sec-WebSocket-Version: 13', f'Sec-WebSocket-Key: {key}',
        f'Sec-WebSocket-Protocol: {protocol}, bearer.{token}', '', '')).encode())
    file, whole, kind = raw.makefile('rb'), b'', 0
    head = list(iter(lambda: file.readline().strip(), b''))
    if b' 101 ' not in head[0]:
        raise ConnectionError(head[0].decode())
    while (head := file.read(2)) and head[0] & 15 != 8:
        size = head[1] & 127
        if size > 125:
            size = int.from_bytes(file.read(2 if size == 126 else 8), 'big')
        opcode, data = head[0] & 15, file.read(size)
        if opcode == 9:  # A pong is masked by zeros.
            raw.sendall(bytes([138, 128 | size, 0, 0, 0, 0]) + data)
        elif opcode < 3:
            whole, kind = whole + data, opcode or kind
            if head[0] & 128:
                yield json.loads(whole) if kind == 1 else whole
                whole = b''

def read_frame(data, tables):
    """Index of a frame, and all rows of its blocks: the block's name, and values by column."""
    version, count, _publication, index = struct.unpack_from('<HHId', data)
    assert version == 1, f'frame of version {version}'
    rows, at = [], 16
    for _ in range(count):
        head, length = struct.unpack_from('<II', data, at)
        table = tables.get(head & 255, {'name': None, 'columns': []})
        block, place = [{} for _ in range(head >> 8)], at + 8
        at = place + length
        for column in table['columns']:
            (code, size), each = TYPES[column['type']], column['components']
            values = struct.unpack_from(f'<{len(block) * each}{code}', data, place)
            place += (len(block) * each * size + 7) // 8 * 8
            for i, row in enumerate(block):
                row[column['name']] = values[i] if each == 1 else values[each * i:each * i + each]
        rows += [(table['name'], row) for row in block]
    return int(index), rows

def quintic(a, b, h, s):
    """Position and velocity at a share s of the h seconds between two (r, v, a)."""
    s2, s3, s4, s5 = s ** 2, s ** 3, s ** 4, s ** 5
    axes = list(zip(a[0], b[0], a[1], b[1], a[2], b[2]))
    r = [r0 + ((r1 - r0) * (10 * s3 - 15 * s4 + 6 * s5)
               + h * (v0 * (s - 6 * s3 + 8 * s4 - 3 * s5) + v1 * (7 * s4 - 4 * s3 - 3 * s5))
               + h * h / 2 * (a0 * (s2 - 3 * s3 + 3 * s4 - s5) + a1 * (s3 - 2 * s4 + s5)))
         for r0, r1, v0, v1, a0, a1 in axes]
    v = [(r1 - r0) * 30 * (s2 - 2 * s3 + s4) / h
         + v0 * (1 - 18 * s2 + 32 * s3 - 15 * s4) + v1 * (28 * s3 - 12 * s2 - 15 * s4)
         + h / 2 * (a0 * (2 * s - 9 * s2 + 12 * s3 - 5 * s4) + a1 * (3 * s2 - 8 * s3 + 5 * s4))
         for r0, r1, v0, v1, a0, a1 in axes]
    return r, v

def add(a, b, k=1): return [x + k * y for x, y in zip(a, b)]
def dot(a, b): return sum(x * y for x, y in zip(a, b))
def unit(a): return [x / math.sqrt(dot(a, a)) for x in a]
def cross(a, b): return [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]

def times(p, q):
    """The product of two quaternions: q first."""
    return [p[0] * q[0] - dot(p[1:], q[1:])] + [
        p[0] * b + q[0] * a + c for a, b, c in zip(p[1:], q[1:], cross(p[1:], q[1:]))]

def aligned(x, z):
    """The attitude whose nose is along x and whose +z is along z, at a right angle to it."""
    m = list(zip(x, cross(z, x), z))
    w = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]]
    trace = m[0][0] + m[1][1] + m[2][2]
    rows = [[w[i]] + [m[i][k] + m[k][i] + (1 - trace if i == k else 0) for k in range(3)]
            for i in range(3)]
    return unit(max([1 + trace, *w], *rows, key=lambda row: dot(row, row)))

def pointed(q, pointing, r, v, target):
    """The attitude of a hull that points: nose along a direction, +z outwards as far as it can."""
    nose = (v, cross(r, v), r, target)[(pointing - 1) // 2]
    if nose is None or dot(nose, nose) == 0:
        return q
    nose, back = unit([x if pointing % 2 else -x for x in nose]), [q[0]] + [-x for x in q[1:]]
    held = [times(times(q, [0, *axis]), back)[1:] for axis in ((0, 0, 1), (1, 0, 0))]
    for up in (r, v, *held):
        across = add(up, nose, -dot(up, nose))
        if dot(across, across) > dot(up, up) / 1024:
            return aligned(nose, unit(across))

class World:
    """What the messages of one socket say; `arcs` and `hulls` have the last records of a ship."""

    def __init__(self, url):
        self.url, self.index, self.clock, self.ids, self.way = url, -1, None, {}, None
        self.arcs, self.hulls = {}, {}

    def take(self, message):
        if isinstance(message, bytes):
            self.index, rows = read_frame(message, self.tables)
            for name, row in rows:
                self.row(name, row)
        elif message['type'] == 'welcome':
            self.tables = {block['kind']: block for block in message['frames']}
        elif message['type'] == 'system':
            self.system, self.way = message['system'], None

    def row(self, name, row):
        if name == 'clock':
            self.clock = row
        elif name == 'ships':
            self.ids[row['number']] = bytes(row['shipId']).hex()
        elif name == 'left':
            self.arcs.pop(row['number'], None)
        elif name == 'hulls':
            self.begin(self.hulls, row)
        elif name in ('arcs', 'steps', 'burns'):
            if name == 'arcs':
                row['from'] = row['position'], row['velocity'], row['acceleration']
            else:
                last = self.arcs[row['number']][-1]
                row['start'], row['end'] = last['end'], self.index + row['end']
                row['reference'] = last['reference']
                row['from'] = *last['to'][:2], row.get('acceleration', last['to'][2])
            row['to'] = row['endPosition'], row['endVelocity'], row['endAcceleration']
            self.begin(self.arcs, row)

    def begin(self, kept, record):
        """Keeps a record; what begins then or later is void."""
        before = [it for it in kept.get(record['number'], []) if it['start'] < record['start']]
        kept[record['number']] = before[-64:] + [record]

    def at(self, kept, number, n):
        return next((it for it in reversed(kept.get(number, [])) if it['start'] <= n), None)

    def know(self, way):
        self.way = {**way, 'quanta': way['interval'] * (len(way['bodies'][0]['states']) - 1)}

    def body(self, body, center, n, offset):
        """State of a body from another, or from the barycentre, -1."""
        if self.way is None or not 0 <= n - self.way['index'] < self.way['quanta']:
            system = self.system['id']
            self.know(ask(self.url, f'/api/systems/{system}/ephemeris?seconds=3600&index={n}'))
        node, rest = divmod(n - self.way['index'], self.way['interval'])
        h, state = self.way['interval'] / QUANTA, ([0] * 3, [0] * 3)
        while body != center:
            link, sign = max(body, center), 1 if body > center else -1
            pair = self.way['bodies'][link]['states'][node:node + 2]
            a, b = ((it[:3], it[3:6], it[6:]) for it in pair)
            share = (rest + offset) / self.way['interval']
            state = [add(x, y, sign) for x, y in zip(state, quintic(a, b, h, share))]
            parent = self.system['bodies'][link]['parent']
            body, center = (parent, center) if sign > 0 else (body, parent)
        return state

    def motion(self, number, n, offset):
        """Reference body, position and velocity of a ship within its steps; None outside."""
        arc = self.at(self.arcs, number, n)
        if arc is None or n > arc['end']:
            return None
        quanta = arc['end'] - arc['start']
        if quanta == 0:  # frozen
            return arc['reference'], *arc['from'][:2]
        share = (n - arc['start'] + offset) / quanta
        return arc['reference'], *quintic(arc['from'], arc['to'], quanta / QUANTA, share)

    def ship(self, number, n, offset=0):
        """Reference body, position, velocity, attitude and fuel of a ship; None if unknown."""
        motion, hull = self.motion(number, n, offset), self.at(self.hulls, number, n)
        if motion is None or hull is None:
            return None
        reference, r, v = motion
        seconds = 0 if hull['condition'] == FROZEN else (n - hull['start'] + offset) / QUANTA
        q, pointing, target = unit(hull['attitude']), hull['pointing'], None
        if hull['mode'] != LOCKED or pointing == SPIN:
            speed = math.sqrt(dot(hull['rate'], hull['rate']))
            c, w = math.cos(speed * seconds / 2), math.sin(speed * seconds / 2) / (speed or 1)
            q = times(q, [c] + [w * x for x in hull['rate']])
        elif 0 < pointing <= TARGET and hull['condition'] != FROZEN:
            kind, aim = hull['aimKind'], hull['aim']
            ship = self.motion(aim, n, offset) if kind == SHIP else None
            there = (aim, [0] * 3) if kind == BODY else ship
            if there:
                target = add(add(self.body(there[0], reference, n, offset)[0], there[1]), r, -1)
            q = pointed(q, pointing, r, v, target)
        return reference, r, v, q, max(0, hull['fuel'] + hull['flow'] * seconds)

def compare(world, tick, worst):
    """Notes the largest differences of the ships of a JSON tick; returns how many were compared."""
    n, offset, ships = tick.get('index'), tick.get('offset'), tick.get('ships', ())
    numbers, count = {key: number for number, key in world.ids.items()}, 0
    for ship in ships:
        state = world.ship(numbers.get(ship['ship_id'].replace('-', '')), n, offset)
        if state is None:
            continue
        reference, r, v, q, fuel = state
        centre = world.body(reference, -1, n, offset)[0]
        xyz = lambda key: [ship[key][axis] for axis in 'xyz']
        other = [ship['attitude'][axis] for axis in 'wxyz']
        chord = min(math.dist(q, other), math.dist(q, [-x for x in other]))
        for key, value in {'position': math.dist(r, xyz('relative_position')),
                           'barycentric': math.dist(add(centre, r), xyz('position')),
                           'velocity': math.dist(v, xyz('relative_velocity')),
                           'attitude': 4 * math.asin(chord / 2),
                           'fuel': abs(fuel - ship['fuel'])}.items():
            worst[key] = max(worst.get(key, 0), value)
        count += 1
    return count

def main(url, name, password, *other):
    world, pending, worst, count, tick, shown = World(url), queue.Queue(), {}, 0, None, 0
    if other:
        ticks = messages(url, other[0], other[1], 'orrery.v1')
        threading.Thread(target=lambda: [pending.put(it) for it in ticks], daemon=True).start()
    for message in messages(url, name, password, 'orrery.v1.binary'):
        world.take(message)
        while other and (tick or not pending.empty()):
            tick = tick or pending.get()
            if tick.get('index', -1) >= world.index:
                break  # Its records may still be on their way.
            count, tick = count + compare(world, tick, worst), None
        if other and count >= int(other[2]):
            return print(json.dumps({'states': count, **worst}))
        if not other and world.clock and time.time() > shown + 1:
            shown, clock = time.time(), world.clock
            passed = clock['scale'] * QUANTA * (shown - clock['serverTime'] / 1000)
            now = world.index + clock['offset'] + max(0, passed)
            print({number: world.ship(number, int(now), now % 1) for number in world.arcs})

if __name__ == '__main__':
    main(*sys.argv[1:]) if len(sys.argv) > 3 else sys.exit(__doc__)

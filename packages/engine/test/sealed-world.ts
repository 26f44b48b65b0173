// Law: packages above the engine cannot write a world. Method: the check of types, which fails
// where one of these lines compiles; none of them runs.
import { type Engine, type Pool, createTrajectories } from '@orrery/engine'

export function writes({ universe }: Engine, pool: Pool): void {
  const [world] = universe.worlds
  // @ts-expect-error  it has no columns
  world.state.ships.fuel[0] = 1
  // @ts-expect-error  nor what flies them
  world.flight.due[0] = 1
  // @ts-expect-error  its time is the engine's
  world.index += 1
  // @ts-expect-error  commands enter by the engine
  world.intake.pending = []
  // @ts-expect-error  ships enter by commands
  world.roster.byId.clear()
  const [entry] = world.roster.byId.values()
  // @ts-expect-error  and stay in their slots
  entry.slot = 1
  // @ts-expect-error  as objects do
  world.stations.clear()
  // @ts-expect-error  the log has levels by command
  world.maneuvers.level = 'off'
  // @ts-expect-error  bodies are the catalog's
  world.state.system.bodies[0].gm = 1
  // @ts-expect-error  and so are their spheres
  world.setup.system.territory.spheres[0] = 1
  // @ts-expect-error  no pool flies by request
  void pool.advance([])
  // @ts-expect-error  records show what was sent
  createTrajectories(world, 0).publication = undefined
}

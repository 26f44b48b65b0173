import { say } from '../languages/say.ts'

const REASONS: Readonly<Record<string, string>> = {
  out_of_fuel: say('out of fuel'),
  unreachable: say('unreachable'),
  timed_out: say('timed out'),
  target_lost: say('target lost'),
  impact: say('impact'),
  let_go: say('let go'),
  late: say('late'),
  frozen: say('frozen'),
  none: say('none'),
}

/** Why a maneuver fails; a reason of a later server by its name. */
export function failureText(reason: string): string {
  return REASONS[reason] ?? reason.replaceAll('_', ' ')
}

import type { EngineError } from '@orrery/engine'
import { ERRORS, type ErrorCode } from '@orrery/protocol'

/** What a client is answered for an error of the engine. */
interface EngineRefusal {
  readonly code: ErrorCode
  /** over HTTP */
  readonly status: number
  /** over HTTP; the engine's own when left out */
  readonly message?: string
  /** when a retry may succeed; left out where that is not known */
  readonly retryAfterSeconds?: number
}

/** In which a new world has computed its massive bodies [s]. */
const HORIZON_RETRY_S = 5

const INVALID: EngineRefusal = { code: 'E001', status: 400 }
const UNKNOWN: EngineRefusal = { code: 'E002', status: 404 }
/** the state of the ship is the reason */
const CONFLICT: EngineRefusal = { code: 'E003', status: 409 }
/** the state of the world is the reason */
const IMPOSSIBLE: EngineRefusal = { code: 'E003', status: 400 }
const TOO_MANY: EngineRefusal = { code: 'E004', status: 429, message: ERRORS.E004.meaning }

/** The one table of the engine's errors; undefined for what no request causes. */
export const ENGINE_REFUSALS: Readonly<Record<EngineError['code'], EngineRefusal | undefined>> = {
  ERR_WORLD_FULL: { code: 'E008', status: 503, message: 'The world is full' },
  ERR_SHIP_UNKNOWN: { code: 'E006', status: 404, message: ERRORS.E006.meaning },
  ERR_SHIP_EXISTS: undefined,
  ERR_SHIP_CLASS: INVALID,
  ERR_FUEL: INVALID,
  ERR_SYSTEM_UNKNOWN: UNKNOWN,
  ERR_SYSTEM_STOPPED: { code: 'E008', status: 500 },
  ERR_SAME_SYSTEM: IMPOSSIBLE,
  ERR_UNDURABLE: { code: 'E008', status: 503 },
  ERR_IN_TRANSIT: CONFLICT,
  ERR_BODY_UNKNOWN: UNKNOWN,
  ERR_ALTITUDE: INVALID,
  ERR_PAIR: INVALID,
  ERR_MOMENT: INVALID,
  ERR_STATION_UNKNOWN: UNKNOWN,
  ERR_STATION_EXISTS: undefined,
  ERR_JUMPGATE_UNKNOWN: UNKNOWN,
  ERR_JUMPGATE_EXISTS: undefined,
  ERR_JUMPGATE_PAIR: INVALID,
  ERR_JUMPGATE_PAIRED: IMPOSSIBLE,
  ERR_JUMP: CONFLICT,
  ERR_BESIDE: CONFLICT,
  ERR_DOCKED: CONFLICT,
  ERR_NOT_DOCKED: CONFLICT,
  ERR_WORLD_OBJECTS: IMPOSSIBLE,
  ERR_CONTROL: INVALID,
  ERR_TARGET_UNKNOWN: UNKNOWN,
  ERR_COMMANDS_PENDING: TOO_MANY,
  ERR_BUDGET: TOO_MANY,
  ERR_PREDICTION: INVALID,
  ERR_HORIZON: { code: 'E008', status: 503, retryAfterSeconds: HORIZON_RETRY_S },
  ERR_PREDICTIONS_PENDING: { code: 'E004', status: 429 },
  ERR_WATCHERS: TOO_MANY,
  ERR_NO_MANEUVER: CONFLICT,
  ERR_RULE: INVALID,
  ERR_RULE_UNKNOWN: UNKNOWN,
  ERR_RULES_FULL: CONFLICT,
  ERR_MODULE: undefined,
  ERR_MODULE_UNKNOWN: UNKNOWN,
  ERR_MODULE_BODY: INVALID,
  ERR_MODULE_REFUSED: CONFLICT,
  ERR_MODULE_STOPPED: CONFLICT,
  ERR_MODULE_OPERATORS: { code: 'E003', status: 403 },
  ERR_MODULE_FAULT: CONFLICT,
  ERR_IMAGE: undefined,
  ERR_PHYSICS: undefined,
  ERR_FILE: undefined,
  ERR_KERNEL_MEMORY: undefined,
  ERR_KERNEL_BITS: undefined,
  ERR_STOPPED: { code: 'E008', status: 503, message: 'The server stops', retryAfterSeconds: 1 },
  ERR_TICK_BROKEN: {
    code: 'E008',
    status: 503,
    message: 'A tick has broken; an operator has to resume',
    retryAfterSeconds: 1,
  },
  ERR_REPLAY: undefined,
  ERR_WORKER_STALLED: undefined,
  ERR_SHIP_FROZEN: undefined,
}

import type { ServiceEnvironment } from './service-process.ts'

/** Of a game server whose clients all have one address. */
export const WITHOUT_LIMITS: ServiceEnvironment = {
  LOGIN_ATTEMPTS_PER_MINUTE: '1000000',
  REGISTRATIONS_PER_HOUR: '0',
  SOCKETS_PER_ADDRESS: '0',
  HANDSHAKES_PER_MINUTE: '1000000',
}

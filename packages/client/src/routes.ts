/** The declared routes, for `call`. */
export { api } from '@orrery/protocol'

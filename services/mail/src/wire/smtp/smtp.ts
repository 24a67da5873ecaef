export {
  type Door,
  type DoorSession,
  defaultSessionLimits,
  type Envelope,
  type MailParameters,
  type RcptParameters,
  type SessionLimits,
  type Taken,
} from './door.ts'
export { type Input, type LineLimits, type LineProblem, readFrom } from './input.ts'
export { readMailParameters, readRcptParameters } from './parameters.ts'
export { decodeXtext, type Path, parseMailbox } from './paths.ts'
export { Refused, type Reply, refuse, reply } from './replies.ts'
export { startSmtpServer } from './server.ts'

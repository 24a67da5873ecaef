export type { Filing, NotifyAction, SieveAction, VacationAction } from './action-types.ts'
export { parseAddress } from './addresses.ts'
export { base } from './base/base.ts'
export { compileScript, extensionsOf } from './compile.ts'
export type { Call, SieveScript } from './compiled.ts'
export type { MailboxLookups, SieveEnvironment } from './environment.ts'
export { extensions } from './extensions/index.ts'
export { defaultLimits } from './limits.ts'
export { parseMailto } from './mailto.ts'
export {
  type BodyEdit,
  type HeaderLine,
  type MessageEdits,
  noEdits,
  type SieveEnvelope,
  type SieveHeader,
  type SieveMessage,
  type SievePart,
} from './message.ts'
export { problemsText, problemText } from './problems.ts'
export { addAction } from './result.ts'
export { runScripts } from './run.ts'
export type { Run } from './run-state.ts'
export { standardLanguage } from './standard.ts'
export { decideVacation, isAutoSubmitted, type VacationReply } from './vacation-rules.ts'

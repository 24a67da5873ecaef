export { privateFields, readAuthorship } from './authorship.ts'
export type { EnvelopeAddress, SubmissionEnvelope } from './envelope.ts'
export {
  createIdentity,
  deleteIdentity,
  findIdentity,
  type Identity,
  type IdentityChange,
  listIdentities,
  updateIdentity,
} from './operations.ts'
export { submissionHooks } from './outcomes.ts'
export { IdentityRefusal, type IdentityRefusalKind } from './refusal.ts'
export { countPendingSubmissions } from './submission-queries.ts'
export { SubmissionRefusal, type SubmissionRefusalKind } from './submission-refusal.ts'
export {
  cancelSubmission,
  destroySubmission,
  getSubmissions,
  listSubmissions,
  type Submission,
  type SubmissionSummary,
} from './submissions.ts'
export { type PreparedSubmission, prepareSubmission, submitMessage, writeSubmission } from './submit.ts'
export { changeVacation, listVacations, readVacation, type Vacation } from './vacation.ts'
export { vacationScript } from './vacation-link.ts'

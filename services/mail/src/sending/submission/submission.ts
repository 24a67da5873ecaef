export { privateFields, readAuthorship } from './authorship.ts'
export type { EnvelopeAddress, SubmissionEnvelope } from './envelope.ts'
export { submissionHooks } from './outcomes.ts'
export { countPendingSubmissions } from './queries.ts'
export { SubmissionRefusal, type SubmissionRefusalKind } from './refusal.ts'
export {
  cancelSubmission,
  destroySubmission,
  getSubmissions,
  listSubmissions,
  type Submission,
  type SubmissionSummary,
} from './submissions.ts'
export { type PreparedSubmission, prepareSubmission, submitMessage, writeSubmission } from './submit.ts'

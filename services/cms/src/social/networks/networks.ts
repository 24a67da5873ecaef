export { createNetworkHttp } from './exchange.ts'
export { type FailureFacts, type FailureKind, failureKinds, NetworkFailure } from './failure.ts'
export { LineCut, type NetworkHttp } from './http.ts'
export { networks } from './index.ts'
export type {
  AccountReach,
  Capabilities,
  Draft,
  DraftMedia,
  Limits,
  Network,
  Option,
  Options,
  Outgoing,
  Posted,
  Problem,
  Progress,
  Publisher,
  Publishing,
  PublishMedia,
} from './network.ts'

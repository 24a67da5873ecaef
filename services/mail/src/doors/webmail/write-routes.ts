import { composeRoutes } from './compose-routes.ts'
import { mailboxFilterRoutes } from './filters-routes.ts'
import { messageActionRoutes } from './message-action-routes.ts'
import { ownerRoutes } from './owner-routes.ts'

/** Everything of webmail that changes something, and what its owner keeps beside the mail. */
export const webmailWriteRoutes = [...messageActionRoutes, ...composeRoutes, ...ownerRoutes, ...mailboxFilterRoutes]

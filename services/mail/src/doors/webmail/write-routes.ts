import { messageActionRoutes } from './actions/message-action-routes.ts'
import { mailboxFilterRoutes } from './owner/filters-routes.ts'
import { ownerRoutes } from './owner/owner-routes.ts'
import { composeRoutes } from './writing/compose-routes.ts'

/** Everything of webmail that changes something, and what its owner keeps beside the mail. */
export const webmailWriteRoutes = [...messageActionRoutes, ...composeRoutes, ...ownerRoutes, ...mailboxFilterRoutes]

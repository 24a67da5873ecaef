import type { ListedUser, Me, Session, SignedIn, User } from '@stoa/cms-model/accounts.ts'
import { listQuery, searchText, sortBy } from '@stoa/cms-model/lists.ts'
import { permissionsOf } from '@stoa/cms-model/permissions.ts'
import { z } from 'zod'
import { avatarUrl } from '../../avatar.ts'
import type { Config } from '../../config.ts'
import type { Account } from '../../principal.ts'
import { accountSortKeys, type LiveSession } from './queries.ts'
import type { ListedAccount } from './users.ts'

export const idParams = z.object({ id: z.uuid() })
export const sessionsQuery = listQuery({})
export const usersQuery = listQuery({ q: searchText.optional(), sort: sortBy(accountSortKeys, 'name') })

/** The parts of a request's context that showing people needs. */
type Showing = { readonly config: Pick<Config, 'publicUrl'> }

export const userJson = ({ config }: Showing, account: Account): User => ({
  id: account.id,
  email: account.email,
  name: account.name,
  role: account.role,
  avatarUrl: avatarUrl(config, account.avatar),
  totp: account.hasTotp,
  version: account.version,
  createdAt: account.createdAt.toISOString(),
  updatedAt: account.updatedAt.toISOString(),
})

export const listedUserJson = (ctx: Showing, account: ListedAccount): ListedUser => ({
  ...userJson(ctx, account),
  lastSeenAt: account.lastSeenAt?.toISOString() ?? null,
})

/** `permissions` are the role's, or what an agent key holds of them. */
export const meJson = (ctx: Showing, account: Account, permissions = permissionsOf(account.role)): Me => ({
  ...userJson(ctx, account),
  permissions,
})

export const signedInJson = (ctx: Showing, opened: { token: string; expiresAt: Date; account: Account }): SignedIn => ({
  token: opened.token,
  expiresAt: opened.expiresAt.toISOString(),
  user: meJson(ctx, opened.account),
})

export const sessionJson = (session: LiveSession, currentId: string): Session => ({
  id: session.id,
  current: session.id === currentId,
  ip: session.ip,
  userAgent: session.userAgent,
  createdAt: session.createdAt.toISOString(),
  lastSeenAt: session.lastSeenAt.toISOString(),
  expiresAt: session.expiresAt.toISOString(),
})

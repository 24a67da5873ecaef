import type { Proposal, ProposalChange, ProposalStatus } from '@stoa/cms-model/assistant.ts'
import type { Permission } from '@stoa/cms-model/permissions.ts'
import type { DraftRequest } from '../tools/tools.ts'

/** A request of a proposal, and whether it was sent. */
export type StoredRequest = DraftRequest & { readonly done: boolean }

/** A proposal as it is stored. */
export type StoredProposal = Pick<
  Proposal,
  'id' | 'conversationId' | 'messageId' | 'tool' | 'title' | 'reason' | 'risk' | 'verb' | 'warning' | 'error'
> & {
  readonly accountId: string
  readonly permission: Permission
  readonly target: Proposal['target']
  readonly requests: readonly StoredRequest[]
  readonly base: Proposal['base']
  readonly changes: readonly ProposalChange[]
  readonly status: ProposalStatus
  readonly isEdited: boolean
  readonly createdAt: Date
  readonly appliedAt: Date | null
  readonly expiresAt: Date
}

/** The address of a request; a segment that an earlier request decides keeps its name. */
export const pathOf = ({ route, params }: Pick<DraftRequest, 'route' | 'params'>): string =>
  route.replace(/:(\w+)/g, (segment, name: string) =>
    Object.hasOwn(params, name) ? encodeURIComponent(params[name] ?? '') : segment,
  )

export type RequestPart = { readonly request: StoredRequest; readonly path: string }

/** Which request a change belongs to, and its path in that body: with several requests the number comes first. */
export const partOf = ({ requests }: Pick<StoredProposal, 'requests'>, path: string): RequestPart | null => {
  const [first = '', ...rest] = path.split('.')
  const request = requests[requests.length > 1 ? Number(first) : 0]
  return request ? { request, path: requests.length > 1 ? rest.join('.') : path } : null
}

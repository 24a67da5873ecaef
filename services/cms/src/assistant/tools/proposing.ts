import type { ProposalChange } from '@stoa/cms-model/assistant.ts'
import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Entry } from '@stoa/cms-model/entries.ts'
import { diffContent, isSameJson } from '@stoa/cms-model/entry-diff.ts'
import { isFieldType, typeOf } from '@stoa/cms-model/fields/types/index.ts'
import { type Permission, type Role, roles, scopeOf } from '@stoa/cms-model/permissions.ts'
import { z } from 'zod'
import { error, fail } from '../../errors.ts'
import type { Json, RouteCall } from '../../people/call-route/call-route.ts'
import { scopeFor } from '../../principal.ts'
import type { ProposalDraft, RecordKind } from './draft.ts'
import { sectionsOf } from './proposed-records.ts'
import type { Reach, Rehearsal, ToolOutcome } from './tool.ts'

/** Members of tools' inputs. */
export const reason = z.string().max(300).describe('One sentence for the reviewer')
export const openObject = (description: string) => z.record(z.string(), z.unknown()).describe(description)

type Members = { readonly [member: string]: Json }

/** A value that was parsed from JSON is JSON, whatever its schema's type is. */
export const asJson = (value: unknown): Json => value as Json
export const asMembers = (value: Readonly<Record<string, unknown>>): Members => value as Members

/** Omits undefined members. */
export const given = (members: Readonly<Record<string, unknown>>): Members =>
  asMembers(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)))

export const proposed = (draft: ProposalDraft): ToolOutcome => ({ kind: 'proposal', draft })

/** What the write would answer: with the shape that its route declares. */
export const rehearse = async <T>(reach: Reach, route: RouteCall, rehearsal?: Rehearsal): Promise<T> =>
  (await reach.rehearse(route, rehearsal)) as T

/** The version that the model has seen: a change of the record since then shows up as a conflict. */
export const baseVersion = (reach: Reach, kind: RecordKind, id: string, present: number): number =>
  reach.versionRead(kind, id) ?? present

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

type ChangeSpec = Pick<ProposalChange, 'path' | 'label'> & {
  before?: unknown
  after: unknown
  view?: ProposalChange['view']
  fieldType?: string | null
}

export const changeOf = ({
  path,
  label,
  before = null,
  after,
  view = 'text',
  fieldType = null,
}: ChangeSpec): ProposalChange => {
  const op = isEmpty(before) ? 'add' : isEmpty(after) ? 'remove' : 'set'
  return { path, label, fieldType, op, before: before ?? null, after: after ?? null, view }
}

/** Filters out changes that make no difference; refuses a proposal without any others. */
export const realChanges = (changes: readonly ProposalChange[]): ProposalChange[] => {
  const real = changes.filter(({ before, after }) => !isSameJson(before, after))
  return real.length > 0
    ? real
    : fail('VALIDATION_FAILED', { message: 'Nothing would change: the record already has these values' })
}

const viewOf = (fieldType: string): ProposalChange['view'] =>
  (isFieldType(fieldType) && typeOf({ type: fieldType }).changeView) || 'text'

type Content = Pick<Entry, 'title' | 'slug' | 'data'>

/** What is different between two states of an entry, as it would be saved. */
export const entryChanges = (
  reach: Reach,
  { name, fields }: Pick<ContentType, 'name' | 'fields'>,
  before: Content,
  after: Content,
): ProposalChange[] =>
  diffContent(fields, before, after, sectionsOf(reach, name)).map(({ op, before: old, after: value, ...change }) => ({
    ...change,
    op: op === 'change' ? 'set' : op,
    before: old ?? null,
    after: value ?? null,
    view: change.fieldType === null ? 'layout' : viewOf(change.fieldType),
  }))

/** What entries are called on a card. */
export const entryLabel = ({ title, slug }: Pick<Entry, 'title' | 'slug'>): string => title || slug

/** The lowest role that holds a right for everything. */
export const roleFor = (permission: Permission): Role =>
  roles.find((role) => scopeOf(role, permission) === 'any') ?? 'owner'

/**
 * Whose rights the rehearsal is done with, where a tool is for more people than may apply all that it proposes: the card of
 * somebody who lacks the right is made, and says whom it needs.
 */
export const roleToRehearse = (reach: Reach, permission: Permission): Role | undefined =>
  scopeFor(reach.ctx.principal, permission) === null ? roleFor(permission) : undefined

/** Refuses a member of the tool's own input. */
export const refuseMember = (key: string, message: string): never => {
  throw error('VALIDATION_FAILED', { details: { fields: [{ key, message }] } })
}

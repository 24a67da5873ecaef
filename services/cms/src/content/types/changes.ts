import { isDeepStrictEqual } from 'node:util'
import type { ContentTypeInput } from '@stoa/cms-model/content-types.ts'
import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { renameFields } from '@stoa/cms-model/fields/renames.ts'
import { isConflict } from '@stoa/kit/db/errors.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { recordChange } from '../../events/events.ts'
import { forgetTypeInKeys } from '../../people/delivery-keys/delivery-keys.ts'
import { accountOf } from '../../principal.ts'
import { refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import { forgetType } from '../taxonomies/taxonomies.ts'
import { type Counts, countAffected } from './affected.ts'
import { type ContentType, noSuchType, type TypeRecord, withTaxonomies } from './content-type.ts'
import { rebuildIndexesAfter, resyncEntriesAfter } from './jobs.ts'
import {
  countEntries,
  countTypes,
  deleteTypeRow,
  findLastEditor,
  findTypeRow,
  insertType,
  listTypeRows,
  lockTypes,
  readOnly,
  type TypeMembers,
  updateTypeRow,
} from './queries.ts'
import { lockEntriesOf } from './renames/queries.ts'
import { type Renamed, refuseRenames, renameStored, tryRenames } from './renames.ts'
import type { UpdateInput } from './schema.ts'
import { changeUniqueFields } from './unique.ts'

/** All of them are read together wherever references are checked. */
const MAX_TYPES = 500

export const createType = (ctx: Ctx, input: ContentTypeInput): Promise<TypeRecord> =>
  ctx.tx(async (tx) => {
    await lockTypes(tx)
    if ((await countTypes(tx)) >= MAX_TYPES)
      fail('INVALID_STATE', { message: `A site can have up to ${MAX_TYPES} content types. Delete one you don't use.` })
    await refuseUnknownTargets(tx, input)
    await insertType(tx, input, changeOf(ctx)).catch(refuseTakenName)
    const created = await readBack(tx, input.name)
    await rebuildIndexesAfter(ctx, tx, created.name, { before: [], after: created.fields })
    await recordTypeChange(ctx, tx, 'type.created', created)
    return created
  })

/**
 * Changes the members sent. Values of fields that are removed or get another type stay stored, and those of fields that get
 * another key move with them. No version of an entry changes; only writes to entries of this type wait.
 */
export const updateType = (ctx: Ctx, name: string, input: UpdateInput, wanted: WantedVersion): Promise<TypeRecord> =>
  ctx.tx(async (tx) => {
    await lockTypes(tx)
    if (hasRenames(input)) await lockEntriesOf(tx, name)
    const present = await requirePresent(tx, name, wanted, 'changing')
    const { next, renamed, changed } = merge(present, input)
    if (changed.length === 0) return withTaxonomies(tx, present)
    await refuseChange(tx, present, next)
    if (hasRenames(input)) await renameStored(tx, present, input.renames ?? {}, ctx.now())
    await changeUniqueFields(tx, renamed, next)
    await updateTypeRow(tx, next, changeOf(ctx))
    await resyncEntriesAfter(ctx, tx, name, { before: present.fields, after: next.fields })
    const saved = await readBack(tx, name)
    await rebuildIndexesAfter(ctx, tx, name, { before: present.fields, after: saved.fields })
    await recordTypeChange(ctx, tx, 'type.updated', saved, changed)
    return saved
  })

/** What an update would mean for the entries there are. It is refused as the update would be, and saves nothing. */
export const tryUpdate = (ctx: Ctx, name: string, input: UpdateInput, wanted: WantedVersion): Promise<Trial> =>
  ctx.tx(async (tx) => {
    await readOnly(tx)
    const present = await requirePresent(tx, name, wanted, 'none')
    const { next } = merge(present, input)
    await refuseChange(tx, present, next)
    const renamed = await tryRenames(tx, present, input.renames ?? {})
    const counts = await countAffected(tx, present, next, input.renames ?? {})
    return hasRenames(input) ? { ...counts, renamed } : counts
  })

export type Trial = Counts & { renamed?: Renamed[] }

const hasRenames = ({ renames = {} }: UpdateInput): boolean => Object.keys(renames).length > 0

/** Deletes a type that has no entries, also none in the trash, and that no other type points to. */
export const deleteType = (ctx: Ctx, name: string, wanted: WantedVersion): Promise<void> =>
  ctx.tx(async (tx) => {
    await lockTypes(tx)
    const present = await requirePresent(tx, name, wanted, 'changing')
    await refuseReferenced(tx, present)
    await refuseEntries(tx, present)
    await deleteTypeRow(tx, name)
    await forgetType(ctx, tx, name)
    await rebuildIndexesAfter(ctx, tx, name, { before: present.fields, after: [] })
    await forgetTypeInKeys(ctx, tx, name)
    await recordTypeChange(ctx, tx, 'type.deleted', present)
  })

const changeOf = (ctx: Ctx) => ({ at: ctx.now(), by: accountOf(ctx).id })

const requirePresent = async (
  tx: CmsTx,
  name: string,
  wanted: WantedVersion,
  lock: 'none' | 'changing',
): Promise<ContentType> => {
  const present = (await findTypeRow(tx, name, lock)) ?? noSuchType(name)
  await refuseOtherVersion(wanted, present, () => findLastEditor(tx, name))
  return present
}

const readBack = async (tx: CmsTx, name: string): Promise<TypeRecord> =>
  withTaxonomies(tx, (await findTypeRow(tx, name)) ?? noSuchType(name))

const memberNames = ['label', 'labelPlural', 'description', 'icon', 'kind', 'previewUrl', 'fields'] as const

/** What the type becomes, and what it is with no more than its fields renamed. */
const merge = (
  present: ContentType,
  input: UpdateInput,
): { next: TypeMembers; renamed: ContentType; changed: string[] } => {
  if (input.name !== undefined && input.name !== present.name)
    failFields([{ key: 'name', message: "can't be changed. Create another type instead." }])
  const { renames = {} } = input
  const renamed = { ...present, fields: renameFields(present.fields, renames) }
  const next: TypeMembers = {
    name: present.name,
    label: input.label ?? present.label,
    labelPlural: input.labelPlural ?? present.labelPlural,
    description: input.description ?? present.description,
    icon: input.icon ?? present.icon,
    kind: input.kind ?? present.kind,
    previewUrl: input.previewUrl === undefined ? present.previewUrl : input.previewUrl,
    fields: input.fields ?? renamed.fields,
  }
  refuseRenames(present, next, renames)
  return { next, renamed, changed: memberNames.filter((member) => !isDeepStrictEqual(present[member], next[member])) }
}

const refuseChange = async (tx: CmsTx, present: ContentType, next: TypeMembers): Promise<void> => {
  await refuseUnknownTargets(tx, next)
  if (present.kind === 'single' || next.kind !== 'single') return
  const { present: entries } = await countEntries(tx, present.name)
  if (entries <= 1) return
  fail('TYPE_IN_USE', {
    message: `This type has ${entries} entries, and a single type can only have one. Move the others to the trash first.`,
    details: { reason: 'single', present: entries },
  })
}

const refuseUnknownTargets = async (tx: CmsTx, { name, fields }: Pick<TypeMembers, 'name' | 'fields'>) => {
  if (referencesIn(fields).every(({ to }) => to === name)) return
  const types = await listTypeRows(tx)
  const problems = referenceProblems(fields, new Set([name, ...types.map((type) => type.name)]))
  if (problems.length > 0) failFields(problems)
}

/** Enough to know where to go. */
const MAX_NAMED_FIELDS = 20

const refuseReferenced = async (tx: CmsTx, { name }: ContentType): Promise<void> => {
  const others = (await listTypeRows(tx)).filter((type) => type.name !== name)
  const pointing = others.flatMap((type) =>
    referencesIn(type.fields)
      .filter(({ to }) => to === name)
      .map(({ key }) => ({ type: type.name, key })),
  )
  const [first] = pointing
  if (!first) return
  const more = pointing.length > 1 ? ` and ${pointing.length - 1} more` : ''
  fail('TYPE_IN_USE', {
    message: `The field ${first.key} of ${first.type}${more} references this type. Remove the field first.`,
    details: { reason: 'referenced', references: pointing.slice(0, MAX_NAMED_FIELDS) },
  })
}

const refuseEntries = async (tx: CmsTx, { name }: ContentType): Promise<void> => {
  const { present, trashed } = await countEntries(tx, name)
  if (present + trashed === 0) return
  const message =
    present === 0
      ? `${entriesOf(trashed)} of this type ${trashed === 1 ? 'is' : 'are'} in the trash. Delete them permanently first.`
      : `There ${present === 1 ? 'is' : 'are'} ${entriesOf(present)} of this type${trashed > 0 ? `, and ${trashed} more in the trash` : ''}. Delete them permanently first.`
  fail('TYPE_IN_USE', { message, details: { reason: 'entries', present, trashed } })
}

const entriesOf = (count: number): string => `${count} ${count === 1 ? 'entry' : 'entries'}`

const recordTypeChange = (
  ctx: Ctx,
  tx: CmsTx,
  action: 'type.created' | 'type.updated' | 'type.deleted',
  { name, label }: ContentType,
  changed: readonly string[] = [],
): Promise<void> =>
  recordChange(ctx, tx, {
    action,
    target: { kind: 'type', id: name, label },
    changed,
    events: [{ name: action, data: { id: name, type: name, title: label }, isPublic: true }],
  })

const refuseTakenName = (raised: unknown): never => {
  if (isConflict(raised, 'content_type_pkey'))
    return fail('NAME_TAKEN', { cause: raised, message: 'Another content type already has this name' })
  throw raised
}

/** A field that points to entries of a type. `path` finds it in the input, `key` in the type: `items.author`. */
type Reference = { to: string; path: string; key: string }

/** Every reference field, also inside of lists. */
const referencesIn = (fields: readonly Field[], path = 'fields', prefix = ''): Reference[] =>
  fields.flatMap((field, index) => {
    const key = prefix + field.key
    if ('to' in field) return [{ to: field.to, path: `${path}.${index}.to`, key }]
    return field.type === 'list' ? referencesIn(field.fields, `${path}.${index}.fields`, `${key}.`) : []
  })

/** References to types that do not exist. */
const referenceProblems = (fields: readonly Field[], known: ReadonlySet<string>): FieldProblem[] =>
  referencesIn(fields)
    .filter(({ to }) => !known.has(to))
    .map(({ to, path }) => ({ key: path, message: `there is no content type '${to}'. Create it first.` }))

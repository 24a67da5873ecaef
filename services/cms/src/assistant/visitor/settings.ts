import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { isLoopbackOrigin, type VisitorSettings, type VisitorSettingsInput } from '@stoa/cms-model/visitor.ts'
import { listAllTypes } from '../../content/types/types.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { failFields } from '../../errors.ts'
import { type ChangeHook, recordChange } from '../../events/events.ts'
import { personOf, sessionOf } from '../../principal.ts'
import { refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import { readConnected } from '../connection/connection.ts'
import { findLastVisitorSave, findVisitorSettings, lockVisitorSettings, saveVisitorSettings } from './queries.ts'

export const readVisitorSettings = ({ db }: Pick<Ctx, 'db'>): Promise<VisitorSettings> => findVisitorSettings(db)

/** Changes the members sent. */
export const updateVisitorSettings = async (
  ctx: Ctx,
  input: VisitorSettingsInput,
  wanted: WantedVersion,
): Promise<VisitorSettings> => {
  const by = sessionOf(ctx).account.id
  const saved = await ctx.tx(async (tx) => {
    const present = await lockVisitorSettings(tx)
    await refuseStale(tx, present, wanted)
    const next: VisitorSettings = { ...present, ...sent(input), version: present.version }
    const changed = MEMBERS.filter((name) => JSON.stringify(present[name]) !== JSON.stringify(next[name]))
    if (changed.length === 0) return present
    const problems = await problemsOf(ctx, tx, present, next, changed)
    if (problems.length > 0) failFields(problems)
    await store(ctx, tx, next, { by, changed })
    return { ...next, version: present.version + 1 }
  })
  await ctx.visitor.load()
  return saved
}

/** A deleted type is removed, so that the settings can still be saved. */
export const forgetTypeOfVisitors: ChangeHook = async (ctx, tx, { action, target: { id: type } }) => {
  if (action !== 'type.deleted' || type === null) return
  const present = await lockVisitorSettings(tx)
  if (!present.types.includes(type)) return
  const types = present.types.filter((name) => name !== type)
  await store(ctx, tx, { ...present, types }, { by: personOf(ctx)?.id ?? null, changed: ['types'] })
}

const store = async (
  ctx: Ctx,
  tx: CmsTx,
  next: VisitorSettings,
  { by, changed }: { by: string | null; changed: readonly string[] },
): Promise<void> => {
  await saveVisitorSettings(tx, next, { at: ctx.now(), by })
  await recordChange(ctx, tx, {
    action: 'visitor.updated',
    target: { kind: 'visitor', id: null, label: 'Visitor assistant' },
    changed,
    events: [{ name: 'visitor.updated', data: { id: 'visitor' }, isPublic: false, isInternal: true }],
  })
}

const MEMBERS = [
  'enabled',
  'origins',
  'types',
  'label',
  'greeting',
  'refusal',
  'accent',
  'position',
  'dailyLimit',
  'retentionDays',
  'rewrite',
  'synonyms',
] as const satisfies (keyof VisitorSettings)[]

const sent = (input: VisitorSettingsInput): Partial<VisitorSettings> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

const refuseStale = async (tx: CmsTx, { version }: VisitorSettings, wanted: WantedVersion): Promise<void> => {
  const last = await findLastVisitorSave(tx)
  await refuseOtherVersion(
    wanted,
    { version, updatedAt: last?.updatedAt ?? NEVER },
    async () => last?.updatedBy ?? null,
  )
}

/** The time of settings that nobody has saved. */
const NEVER = new Date(0)

/** What is wrong with settings that are right one by one. What was right before stays until it is changed. */
const problemsOf = async (
  ctx: Ctx,
  tx: CmsTx,
  present: VisitorSettings,
  next: VisitorSettings,
  changed: readonly string[],
): Promise<FieldProblem[]> => {
  const problems: FieldProblem[] = []
  if (changed.includes('types')) {
    const known = new Set((await listAllTypes(tx)).map(({ name }) => name))
    for (const [index, name] of next.types.entries())
      if (!known.has(name))
        problems.push({ key: `types.${index}`, message: `must be a content type; ${name} doesn't exist` })
  }
  if (changed.includes('origins') && ctx.config.isProduction)
    for (const [index, origin] of next.origins.entries())
      if (origin.startsWith('http:') && isLoopbackOrigin(origin))
        problems.push({ key: `origins.${index}`, message: 'must start with https://' })
  if (next.enabled && next.types.length === 0)
    problems.push({ key: 'types', message: 'must have at least one content type while the assistant is on' })
  if (next.enabled && !present.enabled && (await readConnected({ ...ctx, db: tx })) === null)
    problems.push({ key: 'enabled', message: 'requires a connected AI provider; connect one first' })
  return problems
}

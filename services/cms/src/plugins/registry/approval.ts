import type { PluginManifest } from '@stoa/cms-model/plugin-manifest.ts'
import type { PluginApproval, PluginAsks } from '@stoa/cms-model/plugins.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { personOf } from '../../principal.ts'

/** The permissions, hosts and collections that an admin has to approve. */
export const asksOf = ({ permissions, hosts, collections }: PluginManifest): PluginAsks => ({
  permissions,
  hosts,
  collections: collections.map(({ name }) => name),
})

/** The parts of a request that are not approved yet. */
const addedBy = (asks: PluginAsks, approved: PluginAsks | null): PluginAsks => {
  const added = (key: keyof PluginAsks) => asks[key].filter((item) => !approved?.[key].includes(item))
  return { permissions: added('permissions'), hosts: added('hosts'), collections: added('collections') }
}

const isAny = (asks: PluginAsks): boolean => Object.values(asks).some((items) => items.length > 0)

/**
 * What is agreed to from now on. Refuses a plugin that asks for more than was agreed to, unless the person agrees with
 * this request; one that asks for less, or for nothing, needs no word.
 */
export const requireApproval = (
  ctx: Pick<Ctx, 'principal' | 'now'>,
  manifest: PluginManifest,
  { before, approve }: { before: PluginApproval | null; approve: boolean | PluginAsks },
): PluginApproval => {
  const asks = asksOf(manifest)
  const added = addedBy(asks, before)
  const isMore = isAny(added)
  const agreed = typeof approve === 'object' ? approve : approve ? asks : null
  if (isAny(addedBy(added, agreed))) fail('APPROVAL_REQUIRED', { details: { ...asks, added } })
  if (before !== null && !isMore) return before
  const person = personOf(ctx)
  return { ...asks, at: ctx.now().toISOString(), by: person && { id: person.id, name: person.name } }
}

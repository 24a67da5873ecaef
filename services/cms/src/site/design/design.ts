import {
  type DeliveredDesign,
  type DesignRecord,
  type DesignSurface,
  type DesignSurfaceRecord,
  designValueProblem,
  type UpdateDesignInput,
} from '@stoa/cms-model/design.ts'
import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { isRaster } from '@stoa/cms-model/media.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { type ChangeHook, recordChange } from '../../events/events.ts'
import { personOf } from '../../principal.ts'
import { refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import {
  advanceVersion,
  deleteOverrides,
  deleteOverridesWith,
  findLastEditor,
  lockFilesShared,
  lockSurface,
  putOverride,
  type StoredValues,
} from './queries.ts'
import { resolveDesign, resolveSurfaces, type SurfaceState, toDelivered } from './resolve.ts'

export type { DesignState } from './state.ts'

/** The surfaces that the host declares, each property with the value that holds; none without a host. */
export const readDesign = async (ctx: Ctx): Promise<DesignRecord> => {
  const { surfaces } = await resolveDesign(ctx)
  return { surfaces: surfaces.map(surfaceJson) }
}

/** The design as websites receive it. */
export const deliverDesign = async (ctx: Ctx): Promise<DeliveredDesign> => toDelivered(await resolveDesign(ctx))

/** The surface of this id, as the host declares it. */
export const requireSurface = async (ctx: Ctx, id: string): Promise<DesignSurface> =>
  ctx.host.design?.surfaces.find((declared) => declared.id === id) ?? fail('NOT_FOUND')

/** Sets values of a surface, or brings the host's own back. */
export const updateSurface = async (
  ctx: Ctx,
  surface: DesignSurface,
  input: UpdateDesignInput,
  wanted: WantedVersion,
): Promise<DesignSurfaceRecord> => {
  const change = changeIn(surface, input)
  const saved = await ctx.tx((tx) => saveChange(ctx, tx, { surface, change, wanted }))
  // A host in this process must not render with the old values once the answer is out.
  await ctx.design.reload()
  return saved
}

type SurfaceChange = {
  set: ReadonlyMap<string, string | number>
  remove: readonly string[]
  /** Keys of pictures to the ids of their files. */
  pictures: ReadonlyMap<string, string>
}

/** What was asked for, if the declaration allows it. */
const changeIn = ({ properties }: DesignSurface, { set = {}, remove = [] }: UpdateDesignInput): SurfaceChange => {
  const known = new Map(properties.map((property) => [property.key, property]))
  const problems: FieldProblem[] = []
  const values = new Map<string, string | number>()
  const removed = new Set<string>()
  const pictures = new Map<string, string>()
  for (const [key, value] of Object.entries(set)) {
    const property = known.get(key)
    const problem = property ? (value === null ? null : designValueProblem(property, value)) : UNKNOWN
    if (problem !== null) problems.push({ key: `set.${key}`, message: problem })
    else if (typeof value !== 'string' && typeof value !== 'number') removed.add(key)
    else values.set(key, value)
    if (property?.type === 'media' && typeof value === 'string') pictures.set(key, value)
  }
  for (const [index, key] of remove.entries()) {
    const message = !known.has(key)
      ? UNKNOWN
      : values.has(key)
        ? 'is in both set and remove; send it in only one of them'
        : null
    if (message !== null) problems.push({ key: `remove.${index}`, message })
    removed.add(key)
  }
  if (problems.length > 0) failFields(problems)
  return { set: values, remove: [...removed], pictures }
}

const UNKNOWN = "isn't a property of this surface"

type Saving = { surface: DesignSurface; change: SurfaceChange; wanted: WantedVersion }

const saveChange = async (ctx: Ctx, tx: CmsTx, { surface, change, wanted }: Saving): Promise<DesignSurfaceRecord> => {
  const { id } = surface
  // Files before the surface, in the order in which a deletion takes them.
  await refuseOtherFiles(tx, change.pictures)
  const present = await lockSurface(tx, id)
  await refuseOtherVersion(wanted, present, () => findLastEditor(tx, id))
  const set = [...change.set].filter(([key, value]) => storedValue(present.values, key) !== value)
  const removed = change.remove.filter((key) => storedValue(present.values, key) !== undefined)
  const changed = surface.properties
    .map(({ key }) => key)
    .filter((key) => removed.includes(key) || set.some(([name]) => name === key))
  if (changed.length === 0) return surfaceRecord(ctx, tx, surface, present)
  for (const [key, value] of set)
    await putOverride(tx, { surfaceId: id, key, value, mediaId: change.pictures.get(key) ?? null })
  await deleteOverrides(tx, id, removed)
  await recordDesignChange(ctx, tx, { id, label: surface.label, changed })
  return surfaceRecord(ctx, tx, surface, await lockSurface(tx, id))
}

const refuseOtherFiles = async (tx: CmsTx, pictures: ReadonlyMap<string, string>): Promise<void> => {
  const types = await lockFilesShared(tx, [...new Set(pictures.values())])
  const problems = [...pictures]
    .filter(([, id]) => !isRaster(types.get(id) ?? ''))
    .map(([key]) => ({
      key: `set.${key}`,
      message: 'must be an image in the media library (JPEG, PNG, GIF, WebP or AVIF)',
    }))
  if (problems.length > 0) failFields(problems)
}

/** Deleting a picture that is in use restores the host's own design in its place. */
export const resetDeletedPicture: ChangeHook = async (ctx, tx, { action, target }) => {
  if (action !== 'media.deleted' || target.id === null) return
  for (const { surfaceId, keys } of await deleteOverridesWith(tx, target.id)) {
    const label = ctx.host.design?.surfaces.find(({ id }) => id === surfaceId)?.label ?? surfaceId
    await recordDesignChange(ctx, tx, { id: surfaceId, label, changed: keys })
  }
}

const recordDesignChange = async (
  ctx: Ctx,
  tx: CmsTx,
  { id, label, changed }: { id: string; label: string; changed: readonly string[] },
): Promise<void> => {
  await advanceVersion(tx, id, { at: ctx.now(), by: personOf(ctx)?.id ?? null })
  await recordChange(ctx, tx, {
    action: 'design.updated',
    target: { kind: 'design', id, label },
    changed,
    events: [{ name: 'design.updated', data: { id, title: label }, isPublic: true }],
  })
}

const storedValue = (values: StoredValues, key: string): unknown =>
  Object.hasOwn(values, key) ? values[key] : undefined

const surfaceRecord = async (
  { config }: Ctx,
  tx: CmsTx,
  surface: DesignSurface,
  stored: { version: number; values: StoredValues },
): Promise<DesignSurfaceRecord> => {
  const { surfaces } = await resolveSurfaces({ db: tx, config }, [surface], [{ id: surface.id, ...stored }])
  const [only] = surfaces
  if (!only) throw new Error(`The design surface ${surface.id} was read and is not there`)
  return surfaceJson(only)
}

const surfaceJson = ({ surface, version, overrides }: SurfaceState): DesignSurfaceRecord => ({
  id: surface.id,
  label: surface.label,
  selector: surface.selector,
  version,
  properties: surface.properties.map((property) => ({
    key: property.key,
    label: property.label,
    type: property.type,
    css: property.css,
    options: property.options ?? null,
    min: property.min ?? null,
    max: property.max ?? null,
    units: property.units ?? null,
    default: property.default,
    value: overrides.get(property.key) ?? property.default,
    overridden: overrides.has(property.key),
  })),
})

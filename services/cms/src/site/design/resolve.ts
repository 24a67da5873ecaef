import type { DeliveredDesign, DesignProperty, DesignSurface, DesignValue } from '@stoa/cms-model/design.ts'
import { designValueProblem } from '@stoa/cms-model/design.ts'
import { designCss, type Overrides } from '@stoa/cms-model/design-css.ts'
import { isRaster } from '@stoa/cms-model/media.ts'
import { readMediaObjects } from '../../content/media/media.ts'
import type { CmsDb, Ctx } from '../../context.ts'
import { listSurfaces, type StoredSurface, type StoredValues } from './queries.ts'

/** A declared surface with what holds of the values that were set on it. */
export type SurfaceState = {
  surface: DesignSurface
  version: number
  /** The overrides as stored: a picture is the ID of its file. */
  overrides: Overrides
}

/** What was set, and the addresses of the pictures in it. */
export type ResolvedDesign = { surfaces: readonly SurfaceState[]; pictures: ReadonlyMap<string, string> }

type Reading = Pick<Ctx, 'config' | 'host'> & { db: CmsDb }

/** The declared surfaces with what was set on them; one statement, and one more when there are pictures. */
export const resolveDesign = async (reading: Reading): Promise<ResolvedDesign> => {
  const declared = reading.host.design?.surfaces ?? []
  if (declared.length === 0) return { surfaces: [], pictures: new Map() }
  return resolveSurfaces(reading, declared, await listSurfaces(reading.db))
}

/**
 * What the host declares decides: a value that was right once and is not any more counts as not set, as does a picture
 * that is gone or has become something else.
 */
export const resolveSurfaces = async (
  { db, config }: Pick<Reading, 'db' | 'config'>,
  declared: readonly DesignSurface[],
  stored: readonly StoredSurface[],
): Promise<ResolvedDesign> => {
  const known = new Map(stored.map((surface) => [surface.id, surface]))
  const right = declared.map((surface) => ({
    surface,
    version: known.get(surface.id)?.version ?? FIRST_VERSION,
    values: rightValues(surface, known.get(surface.id)?.values ?? {}),
  }))
  const named = right.flatMap(({ surface, values }) =>
    surface.properties.flatMap(({ key, type }) => (type === 'media' ? [values.get(key)] : [])),
  )
  const files = await readMediaObjects(
    db,
    config,
    named.filter((id) => typeof id === 'string'),
  )
  const pictures = new Map([...files].flatMap(([id, { mimeType, url }]) => (isRaster(mimeType) ? [[id, url]] : [])))
  const surfaces = right.map(({ surface, version, values }) => ({
    surface,
    version,
    overrides: new Map(
      surface.properties.flatMap((property) => {
        const value = values.get(property.key)
        if (value === undefined || (property.type === 'media' && !pictures.has(String(value)))) return []
        return [[property.key, value] as const]
      }),
    ),
  }))
  return { surfaces, pictures }
}

/** The looks as websites read them. */
export const toDelivered = ({ surfaces, pictures }: ResolvedDesign): DeliveredDesign => {
  const shown = (property: DesignProperty, value: DesignValue): DesignValue =>
    property.type === 'media' ? (pictures.get(String(value)) ?? null) : value
  const addressed = surfaces.map(({ surface, overrides }) => ({
    surface,
    overrides: new Map(
      surface.properties.flatMap((property) => {
        const value = overrides.get(property.key)
        return value === undefined ? [] : [[property.key, shown(property, value)] as const]
      }),
    ),
  }))
  return {
    surfaces: addressed.map(({ surface: { id, properties }, overrides }) => ({
      id,
      values: Object.fromEntries(properties.map((each) => [each.key, overrides.get(each.key) ?? each.default])),
    })),
    css: designCss(addressed),
  }
}

/** The version of a surface on which nothing was ever set. */
const FIRST_VERSION = 1

/** Null is never stored: it would mean the host's own value. */
const rightValues = ({ properties }: DesignSurface, stored: StoredValues): Map<string, string | number> =>
  new Map(
    properties.flatMap((property) => {
      const value = Object.hasOwn(stored, property.key) ? stored[property.key] : null
      const isValue = typeof value === 'string' || typeof value === 'number'
      return isValue && designValueProblem(property, value) === null ? [[property.key, value] as const] : []
    }),
  )

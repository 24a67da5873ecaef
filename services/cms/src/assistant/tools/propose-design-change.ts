import type { DesignSurfaceRecord } from '@stoa/cms-model/design.ts'
import { z } from 'zod'
import { readSurface } from './proposed-records.ts'
import { baseVersion, changeOf, given, openObject, proposed, realChanges, reason, rehearse } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/design/:surface'

export const proposeDesignChange = tool({
  name: 'propose_design_change',
  kind: 'propose',
  permission: 'settings.manage',
  description: 'Set supported properties on a declared surface, or remove overrides.',
  input: z.strictObject({
    surface: z.string(),
    set: openObject('property: value').optional(),
    remove: z.array(z.string()).optional(),
    reason,
  }),
  label: () => 'Preparing a design change',
  run: async (reach, { surface: id, set, remove, reason: why }) => {
    const before = await readSurface(reach, id)
    const body = given({ set, remove })
    const params = { surface: id }
    const after = await rehearse<DesignSurfaceRecord>(reach, { method: 'PUT', path: ROUTE, params, body })
    const propertyOf = (surface: DesignSurfaceRecord, key: string) =>
      surface.properties.find((property) => property.key === key)
    const changed = (path: string, key: string) => {
      const property = propertyOf(after, key)
      return changeOf({
        path: `${path}.${key}`,
        label: property?.label ?? key,
        before: propertyOf(before, key)?.value,
        after: property?.value,
        view: property?.type === 'media' ? 'media' : 'text',
      })
    }
    const version = baseVersion(reach, 'surface', id, before.version)
    return proposed({
      title: `Change the design of ${before.label}`,
      reason: why,
      risk: 'live',
      verb: 'Apply',
      permission: 'settings.manage',
      target: { kind: 'surface', id, label: before.label, screen: 'design' },
      changes: realChanges([
        ...Object.keys(set ?? {}).map((key) => changed('set', key)),
        ...(remove ?? []).map((key) => changed('remove', key)),
      ]),
      requests: [
        {
          method: 'PUT',
          route: ROUTE,
          params,
          body,
          version,
          record: { kind: 'surface', id },
          isBehind: version !== before.version,
        },
      ],
      base: { kind: 'surface', id, version },
      anchors: null,
    })
  },
})

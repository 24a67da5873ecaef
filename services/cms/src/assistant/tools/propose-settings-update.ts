import type { Settings } from '@stoa/cms-model/settings.ts'
import { z } from 'zod'
import { readSettings } from './proposed-records.ts'
import { baseVersion, changeOf, given, proposed, realChanges, reason, rehearse } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/settings'

const LABELS = {
  title: 'Title',
  tagline: 'Tagline',
  description: 'Description',
  logoId: 'Logo',
  socialImageId: 'Social image',
} as const
type Member = keyof typeof LABELS

const isPicture = (member: Member): boolean => member === 'logoId' || member === 'socialImageId'

export const proposeSettingsUpdate = tool({
  name: 'propose_settings_update',
  kind: 'propose',
  permission: 'settings.manage',
  description: 'Site details.',
  input: z.strictObject({
    title: z.string().optional(),
    tagline: z.string().optional(),
    description: z.string().optional(),
    logoId: z.string().optional(),
    socialImageId: z.string().optional(),
    reason,
  }),
  label: () => 'Preparing site settings',
  run: async (reach, { reason: why, ...members }) => {
    const before = await readSettings(reach)
    const named = (Object.keys(LABELS) as Member[]).filter((member) => members[member] !== undefined)
    // An empty text is no file.
    const sentAs = (member: Member) => (isPicture(member) && members[member] === '' ? null : members[member])
    const sent = given(Object.fromEntries(named.map((member) => [member, sentAs(member)])))
    const after = await rehearse<Settings>(reach, { method: 'PUT', path: ROUTE, body: sent })
    const changes = realChanges(
      named.map((member) =>
        changeOf({
          path: member,
          label: LABELS[member],
          before: before[member],
          after: after[member],
          view: isPicture(member) ? 'media' : 'text',
        }),
      ),
    )
    const body = Object.fromEntries(changes.map(({ path }) => [path, after[path as Member]]))
    const version = baseVersion(reach, 'settings', 'settings', before.version)
    return proposed({
      title: 'Update site settings',
      reason: why,
      risk: 'live',
      verb: 'Apply',
      permission: 'settings.manage',
      target: { kind: 'settings', id: null, label: 'Site settings', screen: 'settings' },
      changes,
      requests: [
        {
          method: 'PUT',
          route: ROUTE,
          params: {},
          body,
          version,
          record: { kind: 'settings', id: 'settings' },
          isBehind: version !== before.version,
        },
      ],
      base: { kind: 'settings', id: null, version },
      anchors: null,
    })
  },
})

import type { User } from '@stoa/cms-model/accounts.ts'
import { roles } from '@stoa/cms-model/permissions.ts'
import { z } from 'zod'
import { readUser } from './proposed-records.ts'
import { baseVersion, changeOf, proposed, realChanges, reason, rehearse } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/users/:id'

/** Shorter parts of a name are in too many texts. */
const MIN_NAME = 3

export const proposePersonRole = tool({
  name: 'propose_person_role',
  kind: 'propose',
  permission: 'users.manage',
  description: 'Change a role, never above your own user.',
  input: z.strictObject({ personId: z.string(), role: z.enum(roles), reason }),
  label: () => 'Preparing a change of role',
  run: async (reach, { personId: id, role, reason: why }) => {
    const before = await readUser(reach, id)
    const params = { id }
    const after = await rehearse<User>(reach, { method: 'PUT', path: ROUTE, params, body: { role } })
    const version = baseVersion(reach, 'user', id, before.version)
    return proposed({
      title: `Change the role of ${before.name} to ${after.role}`,
      reason: why,
      risk: 'live',
      verb: 'Change role',
      permission: 'users.manage',
      target: { kind: 'user', id, label: before.name, screen: 'people' },
      changes: realChanges([changeOf({ path: 'role', label: 'Role', before: before.role, after: after.role })]),
      requests: [
        {
          method: 'PUT',
          route: ROUTE,
          params,
          body: { role },
          version,
          record: { kind: 'user', id },
          isBehind: version !== before.version,
        },
      ],
      base: { kind: 'user', id, version },
      anchors: [
        before.name,
        before.email,
        ...before.name.split(/\s+/).filter((part) => part !== before.name && part.length >= MIN_NAME),
      ],
    })
  },
})

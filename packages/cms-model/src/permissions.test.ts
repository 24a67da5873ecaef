import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  agentPermissions,
  agentScopeOf,
  canManageRole,
  type Permission,
  permissions,
  permissionsOf,
  pluginPermissions,
  pluginScopeOf,
  roles,
  scopeOf,
} from './permissions.ts'

/** The table as people read it: none, own or any for viewer, author, editor, admin, owner. */
const TABLE: Record<Permission, string> = {
  'content.read': 'any any any any any',
  'content.write': 'none own any any any',
  'content.publish': 'none none any any any',
  'media.manage': 'none own any any any',
  'taxonomy.manage': 'none none any any any',
  'menus.manage': 'none none any any any',
  'social.write': 'none own any any any',
  'social.publish': 'none none any any any',
  'social.manage': 'none none none any any',
  'types.manage': 'none none none any any',
  'settings.manage': 'none none none any any',
  'plugins.manage': 'none none none any any',
  'users.manage': 'none none none any any',
  'keys.manage': 'none none none any any',
  'webhooks.manage': 'none none none any any',
}

describe('the role x permission table', () => {
  for (const permission of permissions)
    test(`${permission}: ${TABLE[permission]}`, () => {
      assert.equal(roles.map((role) => scopeOf(role, permission) ?? 'none').join(' '), TABLE[permission])
    })

  test('every role holds at least what the role below it holds', () => {
    for (const [at, role] of roles.entries()) {
      const below = roles[at - 1]
      if (below) for (const permission of permissionsOf(below)) assert.ok(permissionsOf(role).includes(permission))
    }
  })
})

test('nobody manages a role above their own, and only an owner manages owners', () => {
  for (const [at, actor] of roles.entries())
    for (const [height, target] of roles.entries()) assert.equal(canManageRole(actor, target), at >= height)
  assert.deepEqual(
    roles.filter((role) => canManageRole(role, 'owner')),
    ['owner'],
  )
})

test('no agent key can hold administrative capability', () => {
  const never: Permission[] = ['users.manage', 'keys.manage', 'plugins.manage', 'webhooks.manage', 'social.manage']
  assert.deepEqual(permissions.filter((permission) => !agentPermissions.includes(permission)).sort(), never.sort())
})

test('a plugin holds what it asked for and the role has, and never what rules the site', () => {
  for (const permission of permissions) {
    const isOffered = !/^(types|settings|plugins|users|keys|webhooks|social)\.manage$/.test(permission)
    assert.equal(pluginPermissions.includes(permission), isOffered, permission)
    for (const role of roles) {
      assert.equal(pluginScopeOf(role, [], permission), null)
      assert.equal(pluginScopeOf(role, permissions, permission), isOffered ? scopeOf(role, permission) : null)
    }
  }
})

describe('what an agent key holds', () => {
  test('rule 6: is ticked, grantable and held by the role, in the scope that the role has', () => {
    for (const role of roles)
      for (const permission of permissions) {
        const isGrantable = agentPermissions.includes(permission)
        assert.equal(agentScopeOf(role, [permission], permission), isGrantable ? scopeOf(role, permission) : null)
        const others = permissions.filter((other) => other !== permission)
        assert.equal(agentScopeOf(role, others, permission), null)
      }
  })

  test('rule 7: is never administrative, with every tick and as owner', () => {
    for (const permission of [
      'users.manage',
      'keys.manage',
      'plugins.manage',
      'webhooks.manage',
      'social.manage',
    ] as const)
      assert.equal(agentScopeOf('owner', permissions, permission), null)
  })

  test('reaches own drafts and files only for an author', () => {
    assert.equal(agentScopeOf('author', permissions, 'content.write'), 'own')
    assert.equal(agentScopeOf('author', permissions, 'media.manage'), 'own')
    assert.equal(agentScopeOf('editor', permissions, 'content.write'), 'any')
  })
})

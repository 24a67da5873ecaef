import type { ListedUser } from '@stoa/cms-model/accounts.ts'
import { nothing } from './inputs.ts'
import { counted, readAll, result } from './reading.ts'
import { tool } from './tool.ts'

export const listPeople = tool({
  name: 'list_people',
  kind: 'read',
  permission: 'users.manage',
  description: 'Accounts and roles.',
  input: nothing,
  label: () => 'Reading people',
  async run(reach) {
    const users = await readAll<ListedUser>(reach, '/api/users')
    const people = users.map(({ id, name, email, role, lastSeenAt, version }) => {
      reach.wasRead('user', id, version)
      return { id, name, email, role, lastSeenAt }
    })
    return result({ people }, counted(people.length, 'person', 'people'))
  },
})

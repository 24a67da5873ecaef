import { agentPermissions, permissionsOf } from '@stoa/cms-model/permissions.ts'
import { type CmsClient, type CmsService, PASSWORD, type Person } from '@stoa/tests/lib/cms.ts'

export type Agent = { id: string; key: string; client: CmsClient }

export type AgentMembers = {
  name?: string
  /** Everything that the person's role can give if absent. */
  grants?: readonly string[]
  expiresInDays?: number
}

/** A program of that person: an agent key, minted over HTTP, and a client that sends it. */
export const agentFor = async (service: CmsService, person: Person, members: AgentMembers = {}): Promise<Agent> => {
  const answer = await service.client({ token: person.token }).post('/api/agent-keys', {
    name: members.name ?? 'Robot',
    grants: members.grants ?? permissionsOf(person.role).filter((name) => agentPermissions.includes(name)),
    password: PASSWORD,
    ...(members.expiresInDays === undefined ? {} : { expiresInDays: members.expiresInDays }),
  })
  if (answer.status !== 201) throw new Error(`minting answered ${answer.status}: ${answer.text}`)
  const key = String(answer.body.key)
  return { id: String(answer.body.id), key, client: service.client({ token: key }) }
}

import type { SocialAccounts } from '@stoa/cms-model/social.ts'
import type { SocialApp, SocialSettings } from '@stoa/cms-model/social-apps.ts'
import { z } from 'zod'
import { fail } from '../../errors.ts'
import { counted, read, result } from './reading.ts'
import { type Reach, tool } from './tool.ts'

type Connected = SocialAccounts['items'][number]['accounts']

export const getSocialSetup = tool({
  name: 'get_social_setup',
  kind: 'read',
  permission: 'social.manage',
  description: 'Per network: app registered, credentials saved, account connected.',
  input: z.strictObject({ network: z.string().optional() }),
  label: () => 'Reading the setup of social networks',
  async run(reach, { network }) {
    const [apps, connected] = await Promise.all([
      readApps(reach, network || null),
      read<SocialAccounts>(reach, '/api/social/accounts'),
    ])
    const networks = apps.map((app) => {
      reach.wasRead('app', app.network, app.version ?? 0)
      const own = connected.items.find((item) => item.network === app.network)
      const accounts = own?.accounts ?? []
      return {
        network: app.network,
        label: app.label,
        appRegistered: app.clientId !== null,
        credentialsFrom: app.source,
        enabled: app.enabled,
        accounts: accounts.map(({ id, name, status }) => ({ id, name, status })),
        nextStep: nextStepOf(app, accounts, own?.appReady ?? false),
      }
    })
    return result({ networks }, counted(networks.length, 'network'))
  },
})

/** All networks, or the one of this name. */
export const readApps = async (reach: Reach, network: string | null): Promise<SocialApp[]> => {
  const { items } = await read<SocialSettings>(reach, '/api/social/settings')
  if (network === null) return items
  const wanted = items.filter((app) => app.network === network)
  if (wanted.length > 0) return wanted
  const known = items.map((app) => app.network).join(', ')
  return fail('NOT_FOUND', { message: `This network doesn't exist. Networks: ${known}` })
}

/** What a person does next. Secrets and Connect are for their own hands. */
const nextStepOf = (app: SocialApp, accounts: Connected, isReady: boolean): string => {
  const { label } = app
  if (app.clientId === null) return `Create an app at ${label}, then save its client id here`
  if (app.secretLast4 === null && !isReady && app.enabled)
    return `Paste the client secret of the ${label} app on its settings screen`
  if (!app.enabled) return `Switch the ${label} app on`
  if (!isReady) return `Check the client id and secret of the ${label} app on its settings screen`
  if (accounts.length === 0) return `Press Connect for ${label} on the social settings screen`
  const lost = accounts.filter(({ status }) => status !== 'active').map(({ name }) => name)
  if (lost.length > 0) return `Connect ${lost.join(', ')} again on the social settings screen`
  return `Nothing: ${counted(accounts.length, 'account')} can be posted to`
}

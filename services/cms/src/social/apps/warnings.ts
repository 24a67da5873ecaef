import { hostOfUrl, isPublicAddress } from '@stoa/kit/egress/address.ts'
import { isInnerName } from '@stoa/kit/egress/resolve.ts'
import type { Config } from '../../config.ts'
import type { App } from './apps.ts'

/** Long enough to plan the move to another version. */
const WARN_BEFORE_MS = 90 * 86_400_000

/** What keeps an app from working, or soon will. */
export const warningsOf = (app: App, { publicUrl }: Pick<Config, 'publicUrl'>, now: Date): string[] => [
  ...credentialWarnings(app),
  ...deliveryWarnings(app, publicUrl),
  ...versionWarnings(app, now),
  ...plainWarnings(app),
]

/** When the version in use ends; null when it is not known, or not the network's own. */
export const versionEndOf = ({ definition: { oauth }, endpoints }: App): Date | null =>
  oauth.versionEndsOn && endpoints.apiVersion === oauth.endpoints.apiVersion ? new Date(oauth.versionEndsOn) : null

/** Whether the expiry is close enough for a warning. */
export const isVersionEnding = (app: App, now: Date): boolean => {
  const end = versionEndOf(app)
  return end !== null && end.getTime() - now.getTime() <= WARN_BEFORE_MS
}

const credentialWarnings = (app: App): string[] => {
  if (app.source === 'none') return []
  if (app.isSecretLost) return ['The stored client secret can no longer be read. Enter it again.']
  if (app.clientId === null) return ['Enter the client ID of your app.']
  return app.clientSecret === null ? ['Enter the client secret of your app.'] : []
}

const deliveryWarnings = ({ definition: { label, limits } }: App, publicUrl: string): string[] => {
  if (isPublicHttps(publicUrl)) return []
  const downloaded = [
    ...(limits.image.delivery === 'url' ? ['pictures'] : []),
    ...(limits.videoDelivery === 'url' ? ['videos'] : []),
  ].join(' and ')
  if (downloaded === '') return []
  return [
    `${label} downloads ${downloaded} from this site, but PUBLIC_URL (${publicUrl}) isn't a public https URL. Posts with ${downloaded} will fail.`,
  ]
}

const versionWarnings = (app: App, now: Date): string[] => {
  const end = versionEndOf(app)
  if (end === null || !isVersionEnding(app, now)) return []
  const { label } = app.definition
  const verb = end <= now ? 'ended' : 'ends'
  return [
    `Version ${app.endpoints.apiVersion} of the ${label} API ${verb} on ${end.toISOString().slice(0, 10)}. Set a newer API version.`,
  ]
}

/** On the way to a server inside, plain http is the admin's choice. */
const plainWarnings = ({ endpoints }: App): string[] => {
  const urls = [endpoints.authorizeUrl, endpoints.tokenUrl, endpoints.apiBase, endpoints.uploadBase]
  const plain = urls.find((text) => {
    const url = URL.parse(text)
    return url?.protocol === 'http:' && isPublicHost(url)
  })
  return plain === undefined ? [] : [`Secrets are sent without encryption: ${plain} isn't an https URL.`]
}

const isPublicHttps = (text: string): boolean => {
  const url = URL.parse(text)
  return url?.protocol === 'https:' && isPublicHost(url)
}

const isPublicHost = (url: URL): boolean => {
  const host = hostOfUrl(url)
  if (host === null) return false
  return host.kind === 'address' ? isPublicAddress(host.address) : !isInnerName(host.name)
}

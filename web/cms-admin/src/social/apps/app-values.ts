import type { SaveSocialAppInput } from '@stoa/cms-model/social-apps.ts'
import type { AppOverrides, SocialApp } from '../wire.ts'

/** An app as it is typed; an empty secret keeps the stored one. */
export type AppValues = {
  clientId: string
  clientSecret: string
  authorizeUrl: string
  tokenUrl: string
  apiBase: string
  uploadBase: string
  apiVersion: string
  scopes: string
}

export const overrideFields = [
  { name: 'apiBase', label: 'API URL', placeholder: 'https://' },
  { name: 'uploadBase', label: 'Upload URL', placeholder: 'https://' },
  { name: 'authorizeUrl', label: 'Authorization URL', placeholder: 'https://' },
  { name: 'tokenUrl', label: 'Token URL', placeholder: 'https://' },
  { name: 'apiVersion', label: 'API version', placeholder: '' },
] as const satisfies readonly { name: keyof AppOverrides & keyof AppValues; label: string; placeholder: string }[]

export const valuesOf = ({ clientId, overrides }: SocialApp): AppValues => ({
  clientId: clientId ?? '',
  clientSecret: '',
  authorizeUrl: overrides.authorizeUrl ?? '',
  tokenUrl: overrides.tokenUrl ?? '',
  apiBase: overrides.apiBase ?? '',
  uploadBase: overrides.uploadBase ?? '',
  apiVersion: overrides.apiVersion ?? '',
  scopes: (overrides.scopes ?? []).join(' '),
})

/** Only what was changed: an address that is emptied is the network's own again. */
export const changesOf = (app: SocialApp, values: AppValues): SaveSocialAppInput => {
  const before = valuesOf(app)
  const changed = overrideFields.filter(({ name }) => values[name].trim() !== before[name])
  const scopes = values.scopes.split(/[\s,]+/).filter(Boolean)
  const overrides: NonNullable<SaveSocialAppInput['overrides']> = {
    ...Object.fromEntries(changed.map(({ name }) => [name, values[name].trim() === '' ? null : values[name].trim()])),
    ...(scopes.join(' ') === before.scopes ? {} : { scopes: scopes.length === 0 ? null : scopes }),
  }
  return {
    ...(values.clientId.trim() === before.clientId ? {} : { clientId: values.clientId.trim() }),
    ...(values.clientSecret === '' ? {} : { clientSecret: values.clientSecret.trim() }),
    ...(Object.keys(overrides).length === 0 ? {} : { overrides }),
  }
}

export const sourceWords = {
  stored: 'Saved here',
  env: 'From environment',
  none: 'Not set up',
} as const satisfies Record<SocialApp['source'], string>

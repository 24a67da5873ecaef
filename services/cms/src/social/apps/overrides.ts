import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import type { AppOverrides, SaveSocialAppInput } from '@stoa/cms-model/social-apps.ts'
import type { EnvironmentApp } from '../../config.ts'
import { failFields } from '../../errors.ts'
import type { Endpoints, OAuthFacts } from '../networks/networks.ts'

type Given = NonNullable<SaveSocialAppInput['overrides']>

const ADDRESSES = ['authorizeUrl', 'tokenUrl', 'apiBase', 'uploadBase'] as const
const KEYS = [...ADDRESSES, 'apiVersion', 'scopes'] as const

/** A version becomes part of a path or a header. */
const VERSION = /^(?=.*\d)[\w.-]{1,20}$/
/** RFC 6749 §3.3, without the comma, which separates scopes on some networks. */
const SCOPE = /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]+$/

/** Stored overrides with those that were given in their place; null takes one away. Refuses what no network could use. */
export const mergeOverrides = (stored: AppOverrides, given: Given): AppOverrides => {
  const problems = KEYS.flatMap((key) => problemOf(key, given))
  if (problems.length > 0) failFields(problems)
  const merged = { ...stored, ...given }
  const present = KEYS.flatMap((key) => {
    const value = merged[key]
    return value === null || value === undefined ? [] : [[key, tidy(key, value)] as const]
  })
  return Object.fromEntries(present)
}

const problemOf = (key: (typeof KEYS)[number], given: Given): FieldProblem[] => {
  const problem = (message: string) => [{ key: `overrides.${key}`, message }]
  if (key === 'scopes') {
    const { scopes } = given
    if (scopes === null || scopes === undefined) return []
    if (scopes.length === 0) return problem('must have at least one scope; send null for the default ones')
    return scopes.every((scope) => SCOPE.test(scope)) ? [] : problem('must be scopes without spaces and commas')
  }
  const value = given[key]
  if (value === null || value === undefined) return []
  if (key === 'apiVersion') return VERSION.test(value) ? [] : problem('must be a version like v25.0 or 202511')
  return isAddress(value, key) ? [] : problem('must be a URL like https://api.example.com')
}

/** Private addresses are the admin's business: a Mastodon server may be on the local network. */
const isAddress = (text: string, key: (typeof ADDRESSES)[number]): boolean => {
  const url = URL.parse(text)
  if (url === null || !/^https?:\/\//i.test(text) || !/^https?:$/.test(url.protocol)) return false
  if (url.username !== '' || url.password !== '' || text.includes('#')) return false
  return key === 'authorizeUrl' || url.search === ''
}

/** Calls are made below a base, where a closing slash would be doubled; other addresses may need theirs. */
const tidy = (key: (typeof KEYS)[number], value: string | readonly string[]): string | readonly string[] => {
  if (typeof value !== 'string') return [...new Set(value)]
  return key === 'apiBase' || key === 'uploadBase' ? value.replace(/\/+$/, '') : value
}

/** Where the network is reached: its own addresses, the environment's, and what is stored, the later the stronger. */
export const endpointsOf = (
  { endpoints: own, isServerChosen }: Pick<OAuthFacts, 'endpoints' | 'isServerChosen'>,
  environment: EnvironmentApp | null,
  stored: AppOverrides,
): Endpoints => {
  const apiBase = stored.apiBase ?? own.apiBase
  const follow = (url: string) =>
    isServerChosen && url.startsWith(own.apiBase) ? `${apiBase}${url.slice(own.apiBase.length)}` : url
  const endpoints = {
    authorizeUrl: stored.authorizeUrl ?? environment?.authorizeUrl ?? follow(own.authorizeUrl),
    tokenUrl: stored.tokenUrl ?? environment?.tokenUrl ?? follow(own.tokenUrl),
    apiBase,
    uploadBase: stored.uploadBase ?? (own.uploadBase === own.apiBase ? apiBase : own.uploadBase),
    apiVersion: own.apiVersion,
    scopes: stored.scopes ?? environment?.scopes ?? own.scopes,
  }
  return withVersion(endpoints, stored.apiVersion ?? own.apiVersion)
}

/** Replaces the version in addresses that carry it as a path segment. */
export const withVersion = (endpoints: Endpoints, apiVersion: string): Endpoints => {
  const segment = `/${endpoints.apiVersion}`
  const move = (url: string) =>
    url
      .split(/(?=[/?])/)
      .map((part) => (part === segment ? `/${apiVersion}` : part))
      .join('')
  if (endpoints.apiVersion === '' || apiVersion === '') return { ...endpoints, apiVersion }
  return {
    ...endpoints,
    authorizeUrl: move(endpoints.authorizeUrl),
    tokenUrl: move(endpoints.tokenUrl),
    apiBase: move(endpoints.apiBase),
    uploadBase: move(endpoints.uploadBase),
    apiVersion,
  }
}

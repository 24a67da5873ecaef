import { useEffect, useState } from 'react'
import { problemOf } from '../request/problem.ts'

/** The token of a link in a mail. It is behind the `#`, which no server sees, and leaves the address at once. */
export const useLinkToken = (): string => {
  const [token] = useState(() => readToken(location.hash))
  // Not while rendering: React may throw away what it has rendered, and the token with it
  useEffect(() => {
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search)
  }, [])
  return token
}

export const readToken = (hash: string): string => new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? ''

/** Whether a refusal is about the token: the link was used, replaced by a newer one, or its time is over. */
export const isSpentLink = (error: unknown): boolean => problemOf(error).fields.some(({ key }) => key === 'token')

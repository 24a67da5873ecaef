import { POSITION_HEADER } from '@stoa/cms-model/position-header.ts'

let first: string | undefined
let latest: string | undefined

/** Takes the position from an answer that has one. */
export const notePosition = ({ headers }: Pick<Response, 'headers'>): void => {
  latest = headers.get(POSITION_HEADER) ?? latest
  first ??= latest
}

/** Where everything begins that was read since: undefined while the service has not said it. */
export const firstPosition = (): string | undefined => first

/** Nothing is kept of what was read until now. */
export const forgetPositions = (): void => {
  first = latest
}

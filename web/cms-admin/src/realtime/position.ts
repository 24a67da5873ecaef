import { POSITION_HEADER } from '@stoa/cms-model/position-header.ts'

let first: string | undefined
let latest: string | undefined

/** Takes the position from an answer that has one. */
export const notePosition = ({ headers }: Pick<Response, 'headers'>): void => {
  latest = headers.get(POSITION_HEADER) ?? latest
  first ??= latest
}

/** The stream position at the start of the current reads; undefined until the service has sent one. */
export const firstPosition = (): string | undefined => first

/** Starts over at the latest position: earlier reads no longer count. */
export const forgetPositions = (): void => {
  first = latest
}

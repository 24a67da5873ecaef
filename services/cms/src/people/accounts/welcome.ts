import { POSITION_HEADER } from '@stoa/cms-model/position-header.ts'
import { reply } from '@stoa/kit/http/route.ts'
import type { Ctx } from '../../context.ts'
import { signedInJson } from './schema.ts'
import { type OpenedSession, sessionCookie } from './sessions.ts'

/** The answer to somebody who has just signed in, in whichever way. */
export const welcome = (ctx: Ctx, opened: OpenedSession) =>
  reply(signedInJson(ctx, opened), { cookies: [sessionCookie(ctx, opened.token)], headers: positionOf(ctx) })

/** A page keeps it for its socket, which then begins where the page's reads did. */
export const positionOf = ({ bus }: Ctx): Record<string, string> => {
  const position = bus.position()
  return position === undefined ? {} : { [POSITION_HEADER]: position }
}

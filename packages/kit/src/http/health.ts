import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Surface } from './headers.ts'
import type { Stopping } from './stopping.ts'

export const HEALTH_PATHS = ['/healthz', '/readyz'] as const

type Health = {
  ready(): Promise<void>
  /** What the process does, unless it is everything. */
  roles: readonly string[] | undefined
  surface: Surface
  stopping: Stopping
  deadlineMs: number
}

/** `/healthz`: the process answers. `/readyz`: it can work, asked at most once at a time however many ask us. */
export const addHealth = (app: FastifyInstance, { ready, roles, surface, stopping, deadlineMs }: Health): void => {
  const answer = (response: FastifyReply, status: number, state: string) =>
    response
      .code(status)
      .headers(surface.headers)
      .type('application/json')
      .send(JSON.stringify({ status: state, roles }))
  let asking: Promise<boolean> | undefined
  const ask = (): Promise<boolean> => {
    asking ??= inTime(succeeds(ready), deadlineMs).finally(() => {
      asking = undefined
    })
    return asking
  }
  app.get(HEALTH_PATHS[0], (_request, response) => answer(response, 200, 'ok'))
  app.get(HEALTH_PATHS[1], async (_request, response) => {
    if (stopping.now) return answer(response.header('connection', 'close'), 503, 'stopping')
    return (await ask()) ? answer(response, 200, 'ready') : answer(response, 503, 'unavailable')
  })
}

const succeeds = (act: () => Promise<void>): Promise<boolean> =>
  new Promise<void>((resolve) => resolve(act())).then(
    () => true,
    () => false,
  )

const inTime = async (answer: Promise<boolean>, deadlineMs: number): Promise<boolean> => {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, deadlineMs, false)
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

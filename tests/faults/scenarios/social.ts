import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { startPostgres } from '@stoa/kit/postgres/server.ts'
import { serviceDatabase } from '@stoa/tests/lib/service-database.ts'
import type { Behaviour, FakeNetworks } from '@stoa/tests/lib/social/fake-networks.ts'
import { startSocialFakes } from '@stoa/tests/lib/social/index.ts'
import { mp4 } from '@stoa/tests/lib/video.ts'
import sharp from 'sharp'
import { memberOf, must, type Report } from '../outcomes.ts'
import { crash, isNewer, startedAt } from '../postgres-crash.ts'
import { until, untilReady } from '../readiness.ts'
import { type ServiceProcess, startTwo } from '../service-process.ts'
import { prepareSite } from '../site.ts'
import { type Look, openLook } from '../table.ts'

const NETWORKS = ['facebook', 'instagram', 'threads', 'x', 'linkedin', 'tiktok', 'youtube', 'pinterest', 'mastodon']
/** Its one call that posts, where that is not called so. */
const COMMIT_CALLS: Record<string, string> = { youtube: 'upload' }
const CUTS: readonly Behaviour[] = [{ dropBefore: true }, { dropAfter: true }, { delayMs: 1_000 }, { status: 503 }]

const WAITING = `select count(*) from social_target where status in ('scheduled', 'publishing') or next_attempt_at is not null`
/** Their holder is dead: what would happen after a lease happens now. */
const LEASES_END = 'update social_target set next_attempt_at = now() where next_attempt_at > now()'
const RETRIES_COME = `update social_target set next_attempt_at = now() where status = 'failed' and next_attempt_at > now()`
/** Of all that is scheduled, at once. */
const TIME_COMES = `update social_target set due_at = date_trunc('second', now()), next_attempt_at = date_trunc('second', now())
  where status = 'scheduled'`
const PAUSES_END = 'update social_account set paused_until = null where paused_until is not null'

export type SocialOptions = {
  kills?: number
  posts?: number
  /** How often the database is stopped hard while posts go out; with any, it is a server of its own. */
  crashes?: number
  /** Posts that are all due in the same second. */
  burst?: number
  settleMs?: number
}

/**
 * Both processes are killed at random points while posts go to all nine networks, whose lines are cut around the commit;
 * then the database is stopped hard, and at last many posts are due at once while one process is stopped in good order.
 */
export const social = async (options: SocialOptions = {}): Promise<Report> => {
  const { kills = 200, posts = 120, crashes = 5, burst = 1_000, settleMs = 600_000 } = options
  const folder = await mkdtemp(join(tmpdir(), 'stoa-faults-social-'))
  const database = crashes > 0 ? await ownServer(join(folder, 'server')) : await serviceDatabase('cms')
  const fakes = await startSocialFakes({ perDay: posts + 3 * crashes + burst })
  const processes = await startTwo({ CMS_DATABASE_URL: database.url, STORAGE_LOCAL_DIR: join(folder, 'media') })
  const look = openLook(database.url)
  const ground = await prepare(processes[0].url, fakes)
  const run: Run = { fakes, look, processes, ground, settleMs }
  const figures = {
    ...(await killWhilePosting(run, { kills, posts })),
    ...(await crashWhilePosting(run, { crashes, server: join(folder, 'server') })),
    ...(await postAtOnce(run, burst)),
  }
  const compared = await compare(look, fakes)
  await Promise.all(processes.map((service) => service.stop()))
  await look.close()
  await fakes.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
  return { figures: { ...figures, ...compared.figures }, broken: compared.broken }
}

type Run = {
  fakes: FakeNetworks
  look: Look
  processes: readonly [ServiceProcess, ServiceProcess]
  ground: Ground
  settleMs: number
}

const ownServer = async (folder: string): Promise<{ url: string; drop(): Promise<void> }> => {
  const server = await startPostgres({ folder })
  return { url: await ensureDatabase(server, 'stoa_cms'), drop: () => server.stop() }
}

const killWhilePosting = async (run: Run, { kills, posts }: { kills: number; posts: number }) => {
  const { fakes, look, processes, ground } = run
  for (let n = 0; n < posts; n += 1) await send(ground, n)
  await look.rows(TIME_COMES)
  let kept = 0
  for (let killed = 0; killed < kills; killed += processes.length) {
    cutSomewhere(fakes)
    await sleep(200 + Math.random() * 1_300)
    if ((await look.count(WAITING)) > 0) kept += processes.length
    await Promise.all(processes.map((service) => service.kill()))
    await look.rows(LEASES_END)
    await Promise.all(processes.map((service) => service.restart()))
  }
  return { kills, kills_while_due: kept, posts, settled_ms: Math.round(await settled(run)) }
}

/** Until every target has ended; what would take hours is brought forward. */
const settled = ({ fakes, look, settleMs }: Run): Promise<number> => {
  fakes.clearScripts()
  return until(
    'every target has ended',
    async () => {
      await look.rows(PAUSES_END)
      await look.rows(RETRIES_COME)
      return (await look.count(WAITING)) === 0
    },
    { limitMs: settleMs, everyMs: 500 },
  )
}

const crashWhilePosting = async (run: Run, { crashes, server }: { crashes: number; server: string }) => {
  const { fakes, look, processes, ground } = run
  let kept = 0
  for (let done = 0; done < crashes; done += 1) {
    for (let n = 0; n < 3; n += 1) await send(ground, 10_000 + 3 * done + n)
    await look.rows(TIME_COMES)
    cutSomewhere(fakes)
    await sleep(1_000 + Math.random() * 1_000)
    if ((await look.count(WAITING)) > 0) kept += 1
    const before = await startedAt(look)
    crash(join(server, 'cluster'))
    await until('the database is back', async () => isNewer(await startedAt(look), before))
    for (const { url } of processes) await untilReady(url)
    await look.rows(LEASES_END)
    await settled(run)
  }
  return { crashes, crashes_while_due: kept }
}

const TRANSACTIONS = 'select xact_commit from pg_stat_database where datname = current_database()'

/** Many posts of one second, one account each, while one of the processes goes and comes back. */
const postAtOnce = async (run: Run, burst: number) => {
  const { look, processes, ground } = run
  for (let n = 0; n < burst; n += 1) await sendText(ground, 20_000 + n)
  await look.rows(TIME_COMES)
  const before = await look.count(TRANSACTIONS)
  const [, second] = processes
  const ending = settled(run)
  await sleep(2_000)
  await second.stop()
  await second.restart()
  const took = await ending
  const transactions = (await look.count(TRANSACTIONS)) - before
  return {
    burst,
    burst_ms: Math.round(took),
    burst_transactions_each: Math.round(transactions / Math.max(1, burst)),
    rss_mb: Math.max(...processes.map(({ pid }) => residentMb(pid))),
  }
}

const residentMb = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024)

type Ground = {
  url: string
  token: string
  accounts: { id: string; network: string }[]
  /** Of the account at Pinterest. */
  board: string
  image: string
  video: string
}

const prepare = async (url: string, fakes: FakeNetworks): Promise<Ground> => {
  const { token } = await prepareSite(url)
  for (const network of NETWORKS) {
    const body = { ...fakes.app(network), overrides: fakes.overrides(network) }
    await must(`${url}/api/social/settings/${network}`, { method: 'PUT', token, body })
    const started = await must(`${url}/api/social/accounts/${network}/start`, { method: 'POST', token })
    await fetch(await fakes.consent(memberOf(started, 'url')), { redirect: 'manual' })
  }
  const { items } = (await must(`${url}/api/social/accounts`, { token })) as {
    items: { network: string; accounts: { id: string }[] }[]
  }
  const accounts = items.flatMap(({ network, accounts: [first] }) => (first ? [{ id: first.id, network }] : []))
  if (accounts.length !== NETWORKS.length) throw new Error(`only ${accounts.length} networks were connected`)
  const known = (await must(`${url}/api/social/networks`, { token })) as {
    items: { network: string; accounts: { capabilities: { boards?: { id: string }[] } }[] }[]
  }
  const [board] = known.items.find(({ network }) => network === 'pinterest')?.accounts[0]?.capabilities.boards ?? []
  const picture = sharp({ create: { width: 1_080, height: 1_080, channels: 3, background: '#385' } })
  return {
    url,
    token,
    accounts,
    board: board?.id ?? '',
    image: await upload(
      url,
      token,
      new Blob([new Uint8Array(await picture.jpeg().toBuffer())], { type: 'image/jpeg' }),
    ),
    video: await upload(url, token, new Blob([new Uint8Array(mp4())], { type: 'video/mp4' })),
  }
}

const upload = async (url: string, token: string, file: Blob): Promise<string> => {
  const form = new FormData()
  form.set('file', file, file.type === 'video/mp4' ? 'film.mp4' : 'picture.jpg')
  const answer = await fetch(`${url}/api/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (answer.status !== 201) throw new Error(`an upload came to ${answer.status}: ${await answer.text()}`)
  return memberOf(await answer.json(), 'id')
}

const OPTIONS = {
  tiktok: { privacyLevel: 'SELF_ONLY' },
  youtube: { title: 'A film', madeForKids: false },
}

/** Every third is a film, for the one network that takes nothing else, too. */
const send = async (ground: Ground, n: number): Promise<void> => {
  const isFilm = n % 3 === 0
  const chosen = ground.accounts.filter(({ network }) => isFilm || network !== 'youtube')
  await schedule(ground, {
    caption: captionOf(n),
    accountIds: chosen.map(({ id }) => id),
    media: [{ mediaId: isFilm ? ground.video : ground.image, alt: 'A colour' }],
    options: { ...OPTIONS, pinterest: { boardId: ground.board } },
  })
}

const DAY_MS = 86_400_000
const TEXT_NETWORKS = ['facebook', 'threads', 'x', 'linkedin', 'mastodon']

/** Words for one account, in turn. */
const sendText = async (ground: Ground, n: number): Promise<void> => {
  const network = TEXT_NETWORKS[n % TEXT_NETWORKS.length]
  const account = ground.accounts.find((one) => one.network === network)
  await schedule(ground, { caption: captionOf(n), accountIds: [account?.id] })
}

/** For a time that does not come by itself. */
const schedule = async ({ url, token }: Ground, body: object): Promise<void> => {
  const post = await must(`${url}/api/social/posts`, { method: 'POST', token, body })
  const at = new Date(Date.now() + DAY_MS).toISOString()
  const version = Number(memberOf(post, 'version'))
  await must(`${url}/api/social/posts/${memberOf(post, 'id')}/schedule`, {
    method: 'POST',
    token,
    body: { at, version },
  })
}

const captionOf = (n: number): string => `Post number ${n}, sent once.`

const cutSomewhere = (fakes: FakeNetworks): void => {
  fakes.clearScripts()
  for (const network of NETWORKS) {
    const behave = CUTS[Math.floor(Math.random() * CUTS.length * 2)]
    if (behave) fakes.script({ network, call: COMMIT_CALLS[network] ?? 'commit', behave })
  }
}

/** Nothing twice, nothing lost: what a target says is what the network shows. */
const compare = async (look: Look, fakes: FakeNetworks): Promise<Report> => {
  const broken: string[] = []
  const rows = await look.rows<{ network: string; caption: string; status: string; code: string | null }>(
    `select network, caption, status, error ->> 'code' as code from social_target`,
  )
  const shown = new Map(NETWORKS.map((network) => [network, fakes.posts(network).map((post) => JSON.stringify(post))]))
  const counts = { posted: 0, unknown: 0, failed: 0 }
  for (const { network, caption, status, code } of rows) {
    const live = shown.get(network)?.filter((post) => post.includes(caption)).length ?? 0
    const what = `${network}: "${caption}" is ${status} ${code ?? ''} and ${live} times live`
    if (live > 1) broken.push(what)
    if (status === 'posted') counts.posted += 1
    else if (code === 'OUTCOME_UNKNOWN') counts.unknown += 1
    else counts.failed += 1
    const isTrue = status === 'posted' ? live === 1 : status === 'failed' && (live === 0 || code === 'OUTCOME_UNKNOWN')
    if (!isTrue) broken.push(what)
  }
  return { figures: { targets: rows.length, ...counts }, broken }
}

import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import pg from 'pg'
import { serveBench } from '../harness.ts'
import { KEY } from './key.ts'

/**
 * What somebody would write by hand for this one site: the same answers out of prepared statements and JSON.stringify,
 * without fields, scopes, other filters or validation. Totals are known: of all posts from the table that has them, of a
 * term since it was first asked for.
 */
const [, , databaseUrl = ''] = process.argv
const pool = new pg.Pool({ connectionString: databaseUrl, max: 5, application_name: 'bench-hand' })

type Row = Record<string, never> & {
  id: string
  slug: string
  title: string
  data: { picture: string; related: string[] } & Record<string, unknown>
  locale: string
  published_at: Date
  created_at: Date
  live_updated_at: Date
  live_version: number
  author_id: string
  author: string
  terms: unknown
}
const COLUMNS = 'id, slug, title, data, locale, published_at, created_at, live_updated_at, live_version, author_id'
const EXTRAS = `(select name from account where id = e.author_id) as author,
  (select json_agg(json_build_object('id', t.id, 'slug', t.slug, 'name', t.name, 'taxonomy', x.name,
     'parentId', t.parent_id, 'description', t.description) order by x.name, t.position)
   from entry_term et join term t on t.id = et.term_id join taxonomy x on x.id = t.taxonomy_id where et.entry_id = e.id) as terms`

const read = async (name: string, text: string, values: unknown[]): Promise<Row[]> =>
  (await pool.query({ name, text, values })).rows

const urlOf = (slug: string) => `http://localhost/blog/${encodeURIComponent(slug)}`
const stub = ({ id, slug, title }: Row) => ({ id, slug, type: 'post', title, url: urlOf(slug) })

const expand = async (rows: Row[], expanded: boolean, included: boolean) => {
  const first = expanded
    ? await read(
        'targets',
        `select id, slug, title, data, published_at from entry where id = any($1) and status = 'published' and deleted_at is null`,
        [[...new Set(rows.flatMap(({ data }) => data.related))]],
      )
    : []
  const targets = new Map(first.map((row) => [row.id, row]))
  const ends = (expanded ? first : rows).flatMap(({ data }) => data.related).filter((id) => !targets.has(id))
  const second = await read(
    'stubs',
    `select id, slug, title from entry where id = any($1) and status = 'published' and deleted_at is null`,
    [[...new Set(ends)]],
  )
  const stubs = new Map([...first, ...second].map((row) => [row.id, stub(row)]))
  const files = await pool.query({
    name: 'files',
    text: 'select id, filename, mime_type, size::int, width, height, hash, alt, caption, focal_x, focal_y from media where id = any($1)',
    values: [[...new Set([...rows, ...first].map(({ data }) => data.picture))]],
  })
  const media = new Map(
    files.rows.map((file) => [
      file.id,
      {
        id: file.id,
        url: `http://localhost/media/${file.id}/${file.hash.slice(0, 8)}/${encodeURIComponent(file.filename)}`,
        filename: file.filename,
        mimeType: file.mime_type,
        size: file.size,
        width: file.width,
        height: file.height,
        alt: file.alt,
        caption: file.caption,
        focalX: file.focal_x,
        focalY: file.focal_y,
      },
    ]),
  )
  const dataOf = (data: Row['data'], related: (id: string) => unknown) => ({
    summary: data.summary,
    body: data.body,
    price: data.price,
    day: data.day,
    picture: media.get(data.picture) ?? null,
    related: data.related.map(related).filter((target) => target !== undefined),
  })
  const target = (id: string) => {
    const row = targets.get(id)
    if (!row) return stubs.get(id)
    return {
      ...stub(row),
      data: dataOf(row.data, (inner) => stubs.get(inner)),
      publishedAt: row.published_at.toISOString(),
    }
  }
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    type: 'post',
    title: row.title,
    data: dataOf(row.data, target),
    status: 'published',
    locale: row.locale,
    translationOf: null,
    url: urlOf(row.slug),
    publishedAt: row.published_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.live_updated_at.toISOString(),
    version: row.live_version,
    ...(included && { terms: row.terms, author: { id: row.author_id, name: row.author, avatarUrl: null } }),
  }))
}

const hash = (key: string) => createHash('sha256').update(key).digest('hex')
const keys = new Map([[hash(KEY), true]])

const LIVE = `type = 'post' and status = 'published' and deleted_at is null`
const PRICE = `(case jsonb_typeof(data -> 'price') when 'number' then (data ->> 'price')::numeric end)`
const TERM = `id in (select entry_id from entry_term join term on term.id = term_id where term.slug = $2)`

const totals = new Map<string, Promise<number>>()

const totalOf = (term: string | null): Promise<number> => {
  const known = totals.get(term ?? '')
  if (known && term !== null) return known
  const made = countOf(term)
  totals.set(term ?? '', made)
  return made
}

const countOf = async (term: string | null): Promise<number> => {
  const { rows } =
    term === null
      ? await pool.query({ name: 'total', text: `select published as total from entry_count where type = 'post'` })
      : await pool.query(`select count(*)::int as total from entry where ${LIVE} and ${TERM.replace('$2', '$1')}`, [
          term,
        ])
  return rows[0].total
}

/** The ids from the index of their order first, so that what is skipped is never looked at. */
const readPage = (params: URLSearchParams, page: number, included: boolean): Promise<Row[]> => {
  const term = params.get('term')
  const isByPrice = params.get('sort') === '-price'
  const order = isByPrice ? `${PRICE} desc nulls first, id desc` : 'published_at desc nulls last, id'
  const where = `${LIVE}${isByPrice ? ` and ${PRICE} is not null` : ''}${term === null ? '' : ` and ${TERM}`}`
  const ids = `select id from entry where ${where} order by ${order} limit 25 offset $1`
  return read(
    `list${included ? '-included' : ''}${isByPrice ? '-price' : ''}${term === null ? '' : '-term'}`,
    `with page as materialized (select id, row_number() over () as place from (${ids}) ids)
     select e.*${included ? `, ${EXTRAS}` : ''} from page join entry e on e.id = page.id order by place`,
    [(page - 1) * 25, ...(term === null ? [] : [term])],
  )
}

const SEARCH = `with found as (select id, published_at from entry where ${LIVE} and id in (select entry_id from entry_search
    where public_document @@ (plainto_tsquery('simple', unaccent($1::text))::text || ':*')::tsquery)),
  page as (select id, count(*) over () as total, row_number() over (order by published_at desc nulls last, id) as place
    from found order by place limit 25 offset $2)
  select e.*, page.total::int from page join entry e using (id) order by place`

const answer = async (url: string): Promise<unknown> => {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const expanded = searchParams.get('depth') !== '0'
  const included = searchParams.has('include')
  const slug = /^\/content\/post\/([\w-]+)/.exec(pathname)?.[1]
  if (slug !== undefined) {
    const rows = await read(
      `slug${included ? '-included' : ''}`,
      `select e.*${included ? `, ${EXTRAS}` : ''} from (select ${COLUMNS} from entry where slug = $1 and ${LIVE}) e`,
      [slug],
    )
    return (await expand(rows, expanded, included))[0]
  }
  const page = Number(searchParams.get('page') ?? 1)
  const words = searchParams.get('q')
  const rows =
    words === null
      ? await readPage(searchParams, page, included)
      : await read('search', SEARCH, [words, (page - 1) * 25])
  const total = words === null ? await totalOf(searchParams.get('term')) : (rows[0]?.total ?? 0)
  const items = await expand(rows, expanded, included)
  return { items, meta: { total, page, limit: 25, pages: Math.ceil(total / 25) } }
}

const server = createServer((request, response) => {
  const key = request.headers['x-api-key']
  if (typeof key !== 'string' || !keys.has(hash(key))) {
    response.writeHead(401).end()
    return
  }
  answer(request.url ?? '').then(
    (value) => {
      const body = JSON.stringify(value)
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      response.end(body)
    },
    () => response.writeHead(500).end(),
  )
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) serveBench(address.port)
})

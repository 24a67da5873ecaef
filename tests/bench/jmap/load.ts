import { Agent, request } from 'node:http'

export type Account = { accountId: string; inboxId: string; authorization: string }

/** What a mail program asks for to show the newest fifty: one query, and the messages by reference. */
export const listView = ({ accountId, inboxId }: Account): string =>
  JSON.stringify({
    using: ['urn:ietf:params:jmap:core', 'urn:ietf:params:jmap:mail'],
    methodCalls: [
      [
        'Email/query',
        {
          accountId,
          filter: { inMailbox: inboxId },
          sort: [{ property: 'receivedAt', isAscending: false }],
          limit: 50,
          collapseThreads: true,
        },
        'a',
      ],
      [
        'Email/get',
        {
          accountId,
          '#ids': { resultOf: 'a', name: 'Email/query', path: '/ids' },
          properties: [
            'threadId',
            'mailboxIds',
            'keywords',
            'from',
            'to',
            'subject',
            'receivedAt',
            'preview',
            'hasAttachment',
            'size',
          ],
        },
        'b',
      ],
    ],
  })

export type ListLoad = { ports: readonly number[]; accounts: readonly Account[]; total: number }

/** Keep-alive connections, one for each account; gives requests per second and the time that each took in ms. */
export const loadLists = async ({
  ports,
  accounts,
  total,
}: ListLoad): Promise<{ perSecond: number; times: number[] }> => {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  const started = performance.now()
  let left = total
  const work = async (account: Account, port: number): Promise<void> => {
    const body = listView(account)
    while (left > 0) {
      left -= 1
      const begun = performance.now()
      const answer = await post({ agent, port, account, body })
      times.push(performance.now() - begun)
      if (!answer.includes('"preview"') || answer.includes('"error"')) throw new Error(answer.slice(0, 500))
    }
  }
  await Promise.all(accounts.map((account, index) => work(account, ports[index % ports.length] ?? 0)))
  agent.destroy()
  return { perSecond: (total * 1_000) / (performance.now() - started), times }
}

type Post = { agent: Agent; port: number; account: Account; body: string }

const post = ({ agent, port, account, body }: Post): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: account.authorization,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const sent = request({ agent, host: '127.0.0.1', port, path: '/jmap', method: 'POST', headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => resolve(text))
    })
    sent.on('error', reject)
    sent.end(body)
  })

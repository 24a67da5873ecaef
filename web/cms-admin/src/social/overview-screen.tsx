import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { AppLink, LinkButton } from '@stoa/ui/navigation/link.tsx'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { CalendarClock, Link2, Plus, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { may } from '../allowed.tsx'
import { meQuery } from '../queries.ts'
import { NetworkMark } from './network-mark.tsx'
import { ACCOUNTS_PATH, appPath, CALENDAR_PATH, NEW_POST_PATH, POSTS_PATH, SOCIAL_PATH } from './paths.ts'
import { PostLine } from './posts/post-line.tsx'
import { postedAt } from './posts/post-text.ts'
import { networksQuery, overviewQuery } from './queries.ts'
import { SocialFrame } from './social-frame.tsx'
import { isStatus, postStates } from './statuses.tsx'
import { useConnect } from './use-connect.ts'
import type { SocialNetwork, SocialOverview, SocialPost } from './wire.ts'

/** The next and the latest posts, and those that need attention. */
export const OverviewScreen = () => {
  const overview = useQuery(overviewQuery)
  const networks = useQuery(networksQuery)
  return (
    <SocialFrame current={SOCIAL_PATH}>
      <QueryBoundary query={overview} name="The overview">
        {(data) => (
          <QueryBoundary query={networks} name="The networks">
            {({ items }) =>
              items.every(({ accounts }) => accounts.length === 0) && isUnused(data) ? (
                <FirstSteps />
              ) : (
                <Overview overview={data} networks={items} />
              )
            }
          </QueryBoundary>
        )}
      </QueryBoundary>
    </SocialFrame>
  )
}

const isUnused = ({ counts }: SocialOverview): boolean => Object.values(counts).every((count) => count === 0)

const FirstSteps = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  return (
    <EmptyState
      drawing="calendar"
      title="Plan and publish social posts"
      action={
        may(me, 'social.manage') ? (
          <LinkButton to={ACCOUNTS_PATH} variant="primary" icon={<Link2 aria-hidden />}>
            Connect accounts
          </LinkButton>
        ) : undefined
      }
    >
      {may(me, 'social.manage')
        ? 'Connect an account first, then write once and post to every network.'
        : 'Ask an admin to connect an account. Then you can write posts here.'}
    </EmptyState>
  )
}

type OverviewProps = { overview: SocialOverview; networks: readonly SocialNetwork[] }

const Overview = ({ overview, networks }: OverviewProps) => (
  <div className="flex min-w-0 flex-col gap-6">
    <Counts counts={overview.counts} />
    {overview.attention.length > 0 ? <Attention attention={overview.attention} networks={networks} /> : null}
    <div className="grid min-w-0 items-start gap-6 lg:grid-cols-2">
      <Posts
        title="Up next"
        more={<TinyLink to={CALENDAR_PATH}>Calendar</TinyLink>}
        posts={overview.next}
        timeOf={({ scheduledAt }) => scheduledAt}
        empty={
          <EmptyState
            icon={<CalendarClock />}
            title="Nothing scheduled"
            className="py-8!"
            action={
              <LinkButton to={NEW_POST_PATH} icon={<Plus aria-hidden />}>
                New post
              </LinkButton>
            }
          />
        }
      />
      <Posts
        title="Recently posted"
        more={<TinyLink to={`${POSTS_PATH}?status=posted`}>All posted</TinyLink>}
        posts={overview.last}
        timeOf={postedAt}
        empty={<EmptyState icon={<Send />} title="Nothing posted yet" className="py-8!" />}
      />
    </div>
  </div>
)

const TinyLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <AppLink to={to} className="text-muted text-sm hover:text-ink touch:py-2">
    {children}
  </AppLink>
)

const Counts = ({ counts }: { counts: SocialOverview['counts'] }) => (
  <ul className="grid grid-cols-3 gap-px overflow-clip rounded-xl border border-line bg-line shadow-sm lg:grid-cols-6">
    {Object.entries(postStates).map(([status, { label }]) => (
      <li key={status} className="min-w-0 bg-surface">
        <AppLink
          to={`${POSTS_PATH}?status=${status}`}
          className="flex flex-col gap-0.5 px-4 py-3 outline-offset-[-2px] hover:bg-hover"
        >
          <span className="font-semibold text-ink text-lg tabular-nums">
            {formatNumber(isStatus(status) ? (counts[status] ?? 0) : 0)}
          </span>
          <span className="truncate text-muted text-xs">{label}</span>
        </AppLink>
      </li>
    ))}
  </ul>
)

type PostsProps = {
  title: string
  more: ReactNode
  posts: readonly SocialPost[]
  timeOf: (post: SocialPost) => string | null | undefined
  empty: ReactNode
}

const Posts = ({ title, more, posts, timeOf, empty }: PostsProps) => (
  <Panel title={title} actions={more} flush>
    {posts.length === 0 ? (
      empty
    ) : (
      <ul className="divide-y divide-line">
        {posts.map((post) => (
          <PostLine key={post.id} post={post} at={timeOf(post)} />
        ))}
      </ul>
    )}
  </Panel>
)

type AttentionProps = { attention: SocialOverview['attention']; networks: readonly SocialNetwork[] }

const Attention = ({ attention, networks }: AttentionProps) => {
  const { data: me } = useSuspenseQuery(meQuery)
  const { connecting, connect } = useConnect()
  return (
    <Panel title="Connections that need attention" flush>
      <ul className="divide-y divide-line">
        {attention.map((one) => {
          const network = networks.find(({ network: name }) => name === one.network)
          const account = network?.accounts.find(({ id }) => id === one.accountId)
          return (
            <li
              key={`${one.network} ${one.accountId} ${one.reason}`}
              className="flex flex-wrap items-center gap-3 px-5 py-2.5"
            >
              <NetworkMark network={one.network} size="md" />
              <span className="flex min-w-0 flex-1 basis-48 flex-col text-sm">
                <span className="truncate text-ink">{account?.name ?? network?.label ?? one.network}</span>
                <span className="text-muted text-xs">
                  {one.reason}
                  {one.since === null ? null : (
                    <>
                      {' · '}
                      <RelativeTime at={one.since} />
                    </>
                  )}
                </span>
              </span>
              {may(me, 'social.manage') && network?.enabled === false ? (
                <LinkButton to={appPath(one.network)} size="sm">
                  Open settings
                </LinkButton>
              ) : may(me, 'social.manage') ? (
                <Button size="sm" loading={connecting === one.network} onClick={() => connect(one.network)}>
                  Reconnect
                </Button>
              ) : null}
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

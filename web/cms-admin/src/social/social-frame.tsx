import { Button } from '@stoa/ui/button.tsx'
import { cx } from '@stoa/ui/cx.ts'
import { formatCount } from '@stoa/ui/format.ts'
import { AppLink, LinkButton } from '@stoa/ui/link.tsx'
import { Notice } from '@stoa/ui/notice.tsx'
import { PageHeader } from '@stoa/ui/page-header.tsx'
import { useUrlState } from '@stoa/ui/url-state.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { may } from '../allowed.tsx'
import { meQuery } from '../queries.ts'
import { ACCOUNTS_PATH, APPS_PATH, CALENDAR_PATH, NEW_POST_PATH, POSTS_PATH, SOCIAL_PATH } from './paths.ts'
import { networksQuery } from './queries.ts'

const places = [
  { to: SOCIAL_PATH, label: 'Overview' },
  { to: CALENDAR_PATH, label: 'Calendar' },
  { to: POSTS_PATH, label: 'Posts' },
  { to: ACCOUNTS_PATH, label: 'Accounts', needs: 'social.manage' },
  { to: APPS_PATH, label: 'Settings', needs: 'social.manage' },
] as const

type SocialFrameProps = { current: (typeof places)[number]['to']; children: ReactNode }

/** What all screens of social publishing have on top. */
export const SocialFrame = ({ current, children }: SocialFrameProps) => {
  const { data: me } = useSuspenseQuery(meQuery)
  const shown = places.filter((place) => !('needs' in place) || may(me, place.needs))
  const label = places.find(({ to }) => to === current)?.label
  return (
    <>
      <title>{`${label} · Social · Stoa CMS`}</title>
      <PageHeader
        title="Social"
        actions={
          <LinkButton to={NEW_POST_PATH} variant="primary" icon={<Plus aria-hidden />}>
            New post
          </LinkButton>
        }
      />
      <nav
        aria-label="Social"
        className="mb-5 flex gap-4 overflow-x-auto overflow-y-hidden border-line border-b [scrollbar-width:none]"
      >
        {shown.map(({ to, label: name }) => (
          <AppLink
            key={to}
            to={to}
            aria-current={to === current ? 'page' : undefined}
            className={cx(
              '-mb-px flex h-9 shrink-0 items-center border-b-2 px-0.5 font-medium text-sm outline-offset-[-2px] transition-colors hover:text-ink touch:h-11',
              to === current ? 'border-accent text-ink' : 'border-transparent text-muted',
            )}
          >
            {name}
          </AppLink>
        ))}
      </nav>
      <ReturnNotice />
      {children}
    </>
  )
}

/** What came of a consent, on the way back from a network. */
const ReturnNotice = () => {
  const url = useUrlState()
  const { data } = useQuery(networksQuery)
  const network = url.get('connected')
  const problem = url.get('socialError')
  if (network === '' && problem === '') return null
  const label = data?.items.find((one) => one.network === network)?.label ?? network
  const close = (
    <Button size="sm" variant="ghost" onClick={() => url.set({ connected: '', count: '', socialError: '' })}>
      Dismiss
    </Button>
  )
  return problem === '' ? (
    <Notice tone="success" title={`${label} connected`} action={close} className="mb-5">
      {formatCount(Number(url.get('count')) || 1, 'account is', 'accounts are')} ready for posts.
    </Notice>
  ) : (
    <Notice tone="danger" title="The account couldn't be connected" action={close} className="mb-5">
      <span className="wrap-anywhere">{wordsOf(problem)}</span>
    </Notice>
  )
}

/** Own codes in words; a network's own text as it is. */
const wordsOf = (problem: string): string => returnWords[problem] ?? problem

const returnWords: Readonly<Record<string, string>> = {
  access_denied: 'Access was declined at the network. Connect again and allow what is asked for.',
  user_cancelled_login: 'The sign-in at the network was cancelled. Connect again to finish.',
  user_cancelled_authorize: 'Access was declined at the network. Connect again and allow what is asked for.',
  state: 'This connection took too long or was already used. Start it again.',
  invalid_state: 'This connection took too long or was already used. Start it again.',
  STATE_INVALID: 'This connection took too long or was already used. Start it again.',
  SOCIAL_APP_MISSING: 'The app of this network is not set up any more. Check its settings.',
}

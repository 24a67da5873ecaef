import { Button } from '@stoa/ui/button.tsx'
import { cx } from '@stoa/ui/cx.ts'
import { formatCount } from '@stoa/ui/format.ts'
import { AppLink, LinkButton } from '@stoa/ui/link.tsx'
import { Notice } from '@stoa/ui/notice.tsx'
import { PageHeader } from '@stoa/ui/page-header.tsx'
import { useUrlState } from '@stoa/ui/url-state.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { may } from '../allowed.tsx'
import { meQuery } from '../queries.ts'
import { ACCOUNTS_PATH, APPS_PATH, CALENDAR_PATH, NEW_POST_PATH, POSTS_PATH, SOCIAL_PATH } from './paths.ts'
import { useLabels } from './use-labels.ts'

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
  const labelOf = useLabels()
  const connected = url.get('connected')
  const problem = url.get('socialError')
  if (connected === '' && problem === '') return null
  const forget = { connected: '', count: '', socialError: '', network: '', message: '' }
  const close = (
    <Button size="sm" variant="ghost" onClick={() => url.set(forget)}>
      Dismiss
    </Button>
  )
  if (problem === '')
    return (
      <Notice tone="success" title={`${labelOf(connected)} connected`} action={close} className="mb-5">
        {formatCount(Number(url.get('count')) || 1, 'account is', 'accounts are')} ready for posts.
      </Notice>
    )
  const network = url.get('network')
  return (
    <Notice
      tone="danger"
      title={network === '' ? "The account couldn't be connected" : `${labelOf(network)} couldn't be connected`}
      action={close}
      className="mb-5"
    >
      <p>{returnWords[problem] ?? 'Connect again. If it keeps failing, check the app in the settings.'}</p>
      {url.get('message') === '' ? null : (
        <p className="wrap-anywhere">The network said: {url.get('message').slice(0, MAX_WORDS)}</p>
      )}
    </Notice>
  )
}

/** Of an address that anybody can write. */
const MAX_WORDS = 500

const returnWords: Readonly<Record<string, string>> = {
  SOCIAL_CONSENT_DENIED: 'Access was declined at the network. Connect again and allow what is asked for.',
  SOCIAL_STATE_INVALID: 'This connection took too long or was already used. Start it again.',
  SOCIAL_APP_MISSING: 'The app of this network is no longer set up. Check its settings.',
  SOCIAL_PROVIDER_ERROR: 'The network refused the connection.',
}

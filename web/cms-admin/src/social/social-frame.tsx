import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { ScreenTabs } from '../screen-tabs.tsx'
import { ACCOUNTS_PATH, APPS_PATH, CALENDAR_PATH, NEW_POST_PATH, POSTS_PATH, SOCIAL_PATH } from './paths.ts'
import { useLabels } from './use-labels.ts'

const tabs = [
  { to: SOCIAL_PATH, label: 'Overview' },
  { to: CALENDAR_PATH, label: 'Calendar' },
  { to: POSTS_PATH, label: 'Posts' },
  { to: ACCOUNTS_PATH, label: 'Accounts', needs: 'social.manage' },
  { to: APPS_PATH, label: 'Settings', needs: 'social.manage' },
] as const

type SocialFrameProps = { current: (typeof tabs)[number]['to']; children: ReactNode }

/** The header of all screens of social publishing. */
export const SocialFrame = ({ current, children }: SocialFrameProps) => {
  const label = tabs.find(({ to }) => to === current)?.label
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
      <ScreenTabs label="Social" tabs={tabs} current={current} />
      <ReturnNotice />
      {children}
    </>
  )
}

/** The result of a consent, after the redirect from a network. */
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
      title={network === '' ? "Couldn't connect the account" : `${labelOf(network)} couldn't be connected`}
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

/** Limit for text from the URL, which anybody can write. */
const MAX_WORDS = 500

const returnWords: Readonly<Record<string, string>> = {
  SOCIAL_CONSENT_DENIED: 'You declined access on the network. Connect again and allow the permissions it lists.',
  SOCIAL_STATE_INVALID: 'This connection took too long or was already used. Start it again.',
  SOCIAL_APP_MISSING: 'The app of this network is no longer set up. Check its settings.',
  SOCIAL_PROVIDER_ERROR: 'The network refused the connection.',
}

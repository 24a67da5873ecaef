import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import type { ReactNode } from 'react'
import { ScreenTabs } from '../screen-tabs.tsx'
import { VISITOR_PATH, VISITOR_SETTINGS_PATH } from './paths.ts'

const tabs = [
  { to: VISITOR_PATH, label: 'Questions' },
  { to: VISITOR_SETTINGS_PATH, label: 'Settings', needs: 'settings.manage' },
] as const

type VisitorFrameProps = {
  current: (typeof tabs)[number]['to']
  badge?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** What both screens of the visitor assistant have on top. */
export const VisitorFrame = ({ current, badge, actions, children }: VisitorFrameProps) => {
  const label = tabs.find(({ to }) => to === current)?.label
  return (
    <>
      <title>{`${label} · Visitor assistant · Stoa CMS`}</title>
      <PageHeader
        title="Visitor assistant"
        description="Answers visitors' questions on your websites from your published content."
        badge={badge}
        actions={actions}
      />
      <ScreenTabs label="Visitor assistant" tabs={tabs} current={current} />
      {children}
    </>
  )
}

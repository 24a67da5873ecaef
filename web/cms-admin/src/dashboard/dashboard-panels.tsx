import type { Me } from '@stoa/cms-model/accounts.ts'
import { may } from '../allowed.tsx'
import { ContentPanel } from './content-panel.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NeedsPanel } from './needs-panel.tsx'
import { RecentPanel } from './recent-panel.tsx'

/** What needs the person, what there is, and what happened. */
export const DashboardPanels = ({ me }: { me: Me }) => (
  <div className="grid items-start gap-6 lg:grid-cols-[1fr_20rem] lg:grid-rows-[auto_auto_1fr] lg:*:col-start-1">
    {may(me, 'settings.manage') && may(me, 'keys.manage') ? <FirstSteps me={me} /> : null}
    {may(me, 'content.write') ? <NeedsPanel me={me} /> : null}
    <div className="min-w-0 lg:col-start-2! lg:row-span-3 lg:row-start-1">
      <ContentPanel me={me} />
    </div>
    <RecentPanel me={me} />
  </div>
)

import type { Me } from '@stoa/cms-model/accounts.ts'
import { may } from '../allowed.tsx'
import { ActivityPanel } from './activity-panel.tsx'
import { ContentPanel } from './content-panel.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NeedsPanel } from './needs-panel.tsx'
import { RecentPanel } from './recent-panel.tsx'
import { SchedulePanel } from './schedule-panel.tsx'

/** What needs the person, what there is, what comes and what happened: two columns, or one after the other. */
export const DashboardPanels = ({ me }: { me: Me }) => (
  <div className="@container">
    <div className="grid grid-cols-[minmax(0,1fr)] @[42rem]:grid-cols-2 @[56rem]:grid-cols-[minmax(0,1fr)_20rem] items-start gap-6 @[42rem]:[&>div>*]:col-span-2 @[42rem]:[&>div>[data-narrow]]:col-span-1">
      <div className="contents min-w-0 @[56rem]:flex flex-col gap-6">
        {may(me, 'settings.manage') && may(me, 'keys.manage') ? (
          <div className="order-1 empty:hidden">
            <FirstSteps me={me} />
          </div>
        ) : null}
        {may(me, 'content.write') ? (
          <div className="order-2">
            <NeedsPanel />
          </div>
        ) : null}
        <div className="order-5 empty:hidden">
          <RecentPanel />
        </div>
        <div className="order-6">
          <ActivityPanel me={me} />
        </div>
      </div>
      <div className="contents min-w-0 @[56rem]:flex flex-col gap-6">
        <div data-narrow className="order-3">
          <ContentPanel me={me} />
        </div>
        {may(me, 'content.write') ? (
          <div data-narrow className="order-4">
            <SchedulePanel me={me} />
          </div>
        ) : null}
      </div>
    </div>
  </div>
)

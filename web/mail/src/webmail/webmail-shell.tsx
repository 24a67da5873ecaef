import { Outlet } from '@tanstack/react-router'

/** The frame around the screens of somebody signed in to a mailbox. */
export const WebmailShell = () => <Outlet />

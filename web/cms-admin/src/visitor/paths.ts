export const VISITOR_PATH = '/visitor-assistant'
export const VISITOR_SETTINGS_PATH = '/visitor-assistant/settings'

export const WebmailSettingsScreen = () => null

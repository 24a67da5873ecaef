export const EmailScreen = () => null

/** The people of a facility, and who is on call there (CHAT-19). */
export { PeopleScreen } from './people-part.tsx';

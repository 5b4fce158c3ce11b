import { AdminSection } from '../features/admin/admin-section.js';
import { Page } from './page.js';

/** The admin panel, one address for each of its panels. */
export const AdminPage = () => (
  <Page title="Admin Panel">
    <AdminSection />
  </Page>
);

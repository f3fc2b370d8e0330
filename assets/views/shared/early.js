/* What stands on the page before Streamlit does: the keys are heard from the first moment. */

import { awaitPage, installKeys } from "./keys.js";

if (!location.pathname.endsWith("/")) awaitPage(); // the home page has no beats
installKeys();
